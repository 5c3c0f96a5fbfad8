//! Used by `guest/build`: stamps a built guest with the digest of its sources, or checks the committed one against it.
//!
//! `guest-stamp write BUILT COMMITTED COMPILER` and `guest-stamp check BUILT COMMITTED COMPILER`.

use std::path::Path;
use std::process::ExitCode;

use ostler_tests::component::{self, Stamp};
use ostler_tests::sources;

fn main() -> ExitCode {
    match run() {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("guest-stamp: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [action, built, committed, compiler] = arguments.as_slice() else {
        return Err("usage: guest-stamp write|check BUILT COMMITTED COMPILER".into());
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| std::fs::read(path).map_err(|error| format!("{path}: {error}"));
    let now = Stamp {
        sources: sources::digest(&root).map_err(|error| error.to_string())?,
        compiler: compiler.clone(),
    };
    let built = read(built)?;
    match action.as_str() {
        "write" => {
            let stamped = component::stamp(&built, &now);
            std::fs::write(committed, &stamped).map_err(|error| format!("{committed}: {error}"))?;
            // The digest that the program carries, so that it need not be made at each start.
            let digest = Path::new(committed).with_extension("sha256");
            let line = component::digest_line(&stamped);
            std::fs::write(&digest, line)
                .map_err(|error| format!("{}: {error}", digest.display()))?;
            Ok(format!(
                "{committed}: {} bytes, sources {}",
                stamped.len(),
                now.sources
            ))
        }
        "check" => {
            let bytes = read(committed)?;
            let (old, stamp) =
                component::unstamp(&bytes).ok_or(format!("{committed} carries no stamp"))?;
            if stamp.sources != now.sources {
                return Err(format!(
                    "{committed} is stale: run guest/build and commit it"
                ));
            }
            if old == built {
                return Ok(format!("{committed} is what its sources give"));
            }
            if stamp.compiler == now.compiler {
                return Err(format!(
                    "{committed} differs from what its sources give: run guest/build"
                ));
            }
            Ok(format!(
                "{committed} has the right sources; built by {}, so its bytes are not compared with {}",
                stamp.compiler, now.compiler
            ))
        }
        _ => Err(format!("unknown action {action}")),
    }
}
