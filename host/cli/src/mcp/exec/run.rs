//! One call of `terminal_exec`, from its arguments to its envelope.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ostler_terminal::output::RetainError;
use ostler_terminal::policy::Status;
use ostler_terminal::{Outcome, Terminal};
use rmcp::model::JsonObject;
use rmcp::service::{RequestContext, RoleServer};

use super::read::{Call, MAX_INLINE_SEC};
use crate::envelope::Envelope;
use crate::mcp::ending::Ending;
use crate::mcp::progress;

/// Output longer than this is handled by a thread of its own.
const LONG_BYTES: u64 = 256 << 10;

/// Runs one call. None when it was cancelled: nobody waits for the answer.
pub async fn call(
    terminal: &Arc<Terminal>,
    ending: &Ending,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Option<Envelope> {
    let mut call = match Call::read(arguments) {
        Ok(call) => call,
        Err(error) => return Some(Envelope::not_started(error.to_string())),
    };
    let token = context.meta.get_progress_token();
    let produced = Arc::new(AtomicU64::new(0));
    call.command.meter = token.is_some().then(|| Arc::clone(&produced));
    let deadline = call.command.deadline.filter(|_| !call.bounded_by_server);
    let stop = call.command.stop.clone();
    let mut run = pin!(terminal.exec(call.command));
    let outcome = tokio::select! {
        outcome = &mut run => outcome,
        // Dropping the run ends the tree.
        () = context.ct.cancelled() => return None,
        () = ending.stopping() => {
            stop.cancel();
            run.await
        }
        never = progress::report(&context.peer, token, deadline, &produced) => match never {},
    };
    Some(match outcome {
        Ok(mut outcome) => {
            if call.bounded_by_server {
                explain_bound(&mut outcome);
            }
            tell(outcome, call.max_output_bytes, terminal).await
        }
        Err(error) => Envelope::of_error(&error),
    })
}

/// Makes the envelope. Long output is read back, and moved to disk, by a thread that may wait for it.
async fn tell(outcome: Outcome, max_bytes: usize, terminal: &Arc<Terminal>) -> Envelope {
    let long = [&outcome.output.stdout, &outcome.output.stderr]
        .iter()
        .any(|stream| stream.totals().produced > LONG_BYTES);
    if !long {
        return envelope(&outcome, max_bytes, terminal);
    }
    let terminal = Arc::clone(terminal);
    tokio::task::spawn_blocking(move || envelope(&outcome, max_bytes, &terminal))
        .await
        .unwrap_or_else(|error| Envelope::not_started(format!("the result was lost: {error}")))
}

fn envelope(outcome: &Outcome, max_bytes: usize, terminal: &Terminal) -> Envelope {
    Envelope::of_outcome(outcome, max_bytes, |outcome| {
        let retained = terminal.handles().retain(outcome.output.clone());
        retained
            .map(|handle| handle.to_string())
            .inspect_err(report_unretained)
            .ok()
    })
}

fn report_unretained(error: &RetainError) {
    tracing::warn!(%error, "output is not retained");
}

/// A command that was ended although no deadline was asked for is owed an explanation.
fn explain_bound(outcome: &mut Outcome) {
    if outcome.timed_out() {
        outcome.classification.status = Status::Error;
        outcome.classification.message = Some(format!(
            "timed out: timeout_sec was 0, and a call is answered after {MAX_INLINE_SEC} s at the latest; \
             set timeout_sec for a longer run"
        ));
    }
}
