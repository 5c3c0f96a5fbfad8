//! Whether commands run and give back what they print.

use std::time::{Duration, Instant};

use ostler_terminal::{Command, Exit, Stdin};

use super::{Bench, Finding, bytes, either};

/// What to do about what should not be.
pub const REPORT: &str = "report this with the output of `ostler doctor --json`";

/// A program starts and its exit code arrives.
pub async fn spawn(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        let outcome = bench.run(Command::new("sh -c 'exit 42'")).await?;
        if outcome.exit != Some(Exit::Code(42)) {
            return Err(Finding::broken(
                format!("exit code 42 arrived as {:?}", outcome.exit),
                REPORT,
            ));
        }
        // The first one also made what the later ones find.
        let started = Instant::now();
        bench.run(Command::new("true")).await?;
        Ok(Finding::ok(format!(
            "exit codes arrive; `true` took {}",
            shown(started.elapsed())
        )))
    };
    either(attempt.await)
}

/// Both streams come back to the byte.
pub async fn capture(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        let text = "head -c 1048576 /dev/zero | tr '\\0' '\\377'; printf 'e\\000\\377' >&2";
        let started = Instant::now();
        let outcome = bench.run(Command::new(text)).await?;
        let took = started.elapsed();
        let stdout = bytes(&outcome.output.stdout);
        let is_exact = stdout.len() == 1 << 20 && stdout.iter().all(|byte| *byte == 0xff);
        if !is_exact || bytes(&outcome.output.stderr) != b"e\0\xff" {
            return Err(Finding::broken(
                format!("of 1 MiB, {} bytes came back", stdout.len()),
                REPORT,
            ));
        }
        Ok(Finding::ok(format!(
            "1 MiB and binary bytes came back exactly, in {}",
            shown(took)
        )))
    };
    either(attempt.await)
}

/// A command reads what it is given.
pub async fn stdin(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        let sent = vec![0xfe; 300_000];
        let command = Command {
            stdin: Stdin::Bytes(sent.clone()),
            ..Command::new("cat")
        };
        let outcome = bench.run(command).await?;
        if bytes(&outcome.output.stdout) != sent {
            return Err(Finding::broken("what was sent did not come back", REPORT));
        }
        Ok(Finding::ok("300,000 bytes were fed and came back"))
    };
    either(attempt.await)
}

/// Text reaches the shell as it is, however long.
pub async fn text(bench: &Bench<'_>) -> Finding {
    let attempt = async {
        let quoting = r#"x='a b'; printf '%s|' "$x" 'c"d' $'e\tf' "\$g" {h,i}"#;
        let output = bench.output(quoting).await?;
        if output != "a b|c\"d|e\tf|$g|h|i|" {
            return Err(Finding::broken(
                format!("a quoted text became {output:?}"),
                REPORT,
            ));
        }
        let long = format!(": '{}'; echo end", "x".repeat(200_000));
        if bench.output(&long).await? != "end\n" {
            let advice =
                "mount /proc: long texts reach the shell by a file in memory that is named there";
            return Err(Finding::broken("a text of 200 KB did not run", advice));
        }
        Ok(Finding::ok(
            "quotes arrive as written; a text of 200 KB runs",
        ))
    };
    either(attempt.await)
}

/// A time for people.
pub fn shown(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
