//! Words that are known in full are what bash itself makes of them.

use super::{Word, unfold};
use crate::stand_in::{Sequence, StandIn};

/// The arguments of `./seen` in a text, if they are all known.
fn known(text: &str) -> Option<Vec<String>> {
    let unfolded = unfold(text);
    let mut seen = unfolded
        .invocations
        .iter()
        .filter(|one| one.program.as_deref() == Some("seen"));
    let only = seen
        .next()
        .filter(|only| seen.next().is_none() && only.via.is_empty())?;
    if !unfolded.opaque.is_empty() {
        return None;
    }
    only.args.iter().map(Word::literal).collect()
}

fn compare(seed: u64, wanted: usize, text: impl Fn(&mut Sequence) -> String) {
    let Some(stand_in) = StandIn::new() else {
        return;
    };
    let mut sequence = Sequence::new(seed);
    let mut compared = 0;
    while compared < wanted {
        let text = text(&mut sequence);
        let Some(words) = known(&text) else { continue };
        compared += 1;
        assert_eq!(stand_in.sees(&text), words, "{text:?}");
    }
}

#[test]
fn quotes_braces_and_escapes() {
    #[rustfmt::skip]
    const PARTS: [&str; 36] = [
        "a", "b", "é", " ", " ", "'", "\"", "\\", "$'", "'", "\\n", "\\x41", "\\'", "{", "}", ",", "{a,b}", "{1..3}", "{c..a}",
        "{01..3}", "{a,{b,c}}", "{,x}", "\"a b\"", "'c d'", "$", "-", "=", ":", "#", "!", "\\\n", "\n", "$\"", "[", "]", "^",
    ];
    compare(11, 250, |sequence| {
        format!("./seen {}", sequence.soup(&PARTS, 8))
    });
}

#[test]
fn variables_that_the_text_sets() {
    #[rustfmt::skip]
    const PARTS: [&str; 56] = [
        " ", " ", " ", "\"", "\"", "x", "$x", "${x}", "$y", "\"$y\"", "$e", "\"$e\"", "${y%b*}", "${y##* }", "${x/a/z}", "${y// /_}",
        "${x^^}", "${x^}", "${z,,}", "${x:1}", "${x:0:1}", "${y: -2}", "${#y}", "${e:-d}", "${x:-d}", "${e-d}", "${x:+w}", "${e:+w}",
        "${y#a}", "${y%%\\ *}", "${l[0]}", "${l[1]}", "${l[@]}", "\"${l[@]}\"", "\"${l[*]}\"", "${#l[@]}", "${!r}", "$1", "\"$@\"",
        "$*", "\"$*\"", "${@:2}", "$#", "{$x,b}", "'$x'", "\\$x", "$(echo $y)", "\"$(echo a  b)\"", "`echo $x`", "$(printf '%s-' a b)",
        "$(echo \"$y\")", "${y/b/$x}", "${x%\"$e\"}", "${y#*\" \"}", "a=$x", "$x$y",
    ];
    const SET: &str = "x=ab; y='a b c'; e=; z=QR; r=x; l=(p 'q r'); set -- 1 'two words' 3; ";
    compare(12, 250, |sequence| {
        format!("{SET}./seen {}", sequence.soup(&PARTS, 5))
    });
}

#[test]
fn assignments_and_builtins_that_set_variables() {
    #[rustfmt::skip]
    const STEPS: [&str; 26] = [
        "a=b", "a+=c", "a=\"$a$b\"", "b=$a", "b='x y'", "export a=d", "declare b=\"e f\"", "printf -v a '%s%s' x y", "read a <<< 'm n'",
        "read a b <<< 'm n o'", "read -r b <<< \"$a\"", "unset a", "a=$(echo q)", "set -- $b", "set -- u v", "shift", "(a=no)", "{ a=yes; }",
        "l=($b)", "l+=(t)", "a=${l[0]}", ": ${c:=k}", "f() { a=$1; }", "f z", "eval 'b=$a'", "for a in $b; do :; done",
    ];
    compare(13, 250, |sequence| {
        let mut text = String::from("a=; b=; c=; l=(); f() { :; }; set --; ");
        for _ in 0..1 + sequence.below(6) {
            text.push_str(STEPS[sequence.below(STEPS.len())]);
            text.push_str("; ");
        }
        text + "./seen \"$a\" \"$b\" \"$c\" \"${l[@]}\" \"$@\""
    });
}
