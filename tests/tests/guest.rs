//! The committed guest is built from the sources beside it.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;

use ostler_tests::component::{self, Stamp};
use ostler_tests::sources;

#[test]
fn the_committed_guest_is_not_stale() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let committed = std::fs::read(root.join("guest/policy.wasm")).unwrap();
    let (_, stamp) = component::unstamp(&committed).expect("guest/policy.wasm carries no stamp");
    assert_eq!(
        stamp.sources,
        sources::digest(&root).unwrap(),
        "guest/policy.wasm was built from other sources: run guest/build and commit it"
    );
}

#[test]
fn the_committed_digest_is_that_of_the_committed_guest() {
    let guest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest");
    let committed = std::fs::read(guest.join("policy.wasm")).unwrap();
    let digest = std::fs::read_to_string(guest.join("policy.sha256")).unwrap();
    assert_eq!(digest, component::digest_line(&committed));
}

#[test]
fn a_stamp_can_be_read_back_and_taken_off() {
    let component = [b"\0asm\x0d\0\x01\0".as_slice(), &[0, 3, 1, b'x', 7]].concat();
    let stamp = Stamp {
        sources: "ab".repeat(32),
        compiler: "rustc 1".into(),
    };
    let stamped = component::stamp(&component, &stamp);
    assert_eq!(
        component::unstamp(&stamped),
        Some((component.as_slice(), stamp))
    );
    assert_eq!(component::unstamp(&component), None);
}
