//! One call of `terminal_exec`, from its arguments to its envelope.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ostler_terminal::output::{RetainError, Retained};
use ostler_terminal::{EndedBy, Outcome, Reply, Terminal};
use rmcp::model::JsonObject;
use rmcp::service::{RequestContext, RoleServer};

use super::read::{Call, MAX_INLINE_SEC};
use crate::envelope::{EndReason, Envelope, View};
use crate::mcp::progress;

/// Output longer than this is handled by a thread of its own.
const LONG_BYTES: u64 = 256 << 10;

/// Runs one call. None when it was cancelled: nobody waits for the answer.
pub async fn call(
    terminal: &Arc<Terminal>,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Option<Envelope> {
    let mut call = match Call::read(arguments) {
        Ok(call) => call,
        Err(error) => {
            let envelope = Envelope::not_started(error.to_string(), EndReason::Invalid);
            return Some(envelope);
        }
    };
    let token = context.meta.get_progress_token();
    let produced = Arc::new(AtomicU64::new(0));
    call.command.meter = token.is_some().then(|| Arc::clone(&produced));
    let deadline = call.command.deadline;
    let mut run = pin!(terminal.exec_within(call.command, call.patience));
    let reply = tokio::select! {
        reply = &mut run => reply,
        // Dropping the run ends the tree.
        () = context.ct.cancelled() => return None,
        never = progress::report(&context.peer, token, deadline, &produced) => match never {},
    };
    Some(match reply {
        Ok(reply) => tell(reply, call.view, terminal).await,
        Err(error) => Envelope::of_error(&error),
    })
}

/// Makes the envelope. Long output is read back, and moved to disk, by a thread that may wait for it.
async fn tell(reply: Reply, view: View, terminal: &Arc<Terminal>) -> Envelope {
    let is_long = match &reply {
        Reply::Ended(outcome) => is_long(&outcome.output),
        Reply::Promoted(job) => is_long(job.output()),
    };
    if !is_long {
        return envelope(&reply, view, terminal);
    }
    let terminal = Arc::clone(terminal);
    tokio::task::spawn_blocking(move || envelope(&reply, view, &terminal))
        .await
        .unwrap_or_else(|error| {
            Envelope::not_started(format!("the result was lost: {error}"), EndReason::Lost)
        })
}

fn is_long(output: &Retained) -> bool {
    [&output.stdout, &output.stderr]
        .iter()
        .any(|stream| stream.totals().produced > LONG_BYTES)
}

fn envelope(reply: &Reply, view: View, terminal: &Terminal) -> Envelope {
    match reply {
        Reply::Ended(outcome) => {
            let mut envelope = Envelope::of_outcome(outcome, view, |outcome| {
                let retained = terminal.handles().retain(outcome.output.clone());
                retained
                    .map(|handle| handle.to_string())
                    .inspect_err(report_unretained)
                    .ok()
            });
            if let Some(message) = ended_for_want_of_room(outcome, terminal) {
                envelope.semantic_message = Some(message);
            }
            envelope
        }
        Reply::Promoted(job) => Envelope::of_promoted(job, view),
    }
}

fn report_unretained(error: &RetainError) {
    tracing::warn!(%error, "output is not retained");
}

/// A command that was ended although it had time left is owed an explanation.
fn ended_for_want_of_room(outcome: &Outcome, terminal: &Terminal) -> Option<String> {
    let max_running = terminal.jobs().max_running();
    (outcome.ended_by == Some(EndedBy::Quota)).then(|| {
        format!(
            "ended after {MAX_INLINE_SEC} s in the foreground: it could not go on as a job because {max_running} jobs run \
             already; end some, or give a timeout_sec of at most {MAX_INLINE_SEC}"
        )
    })
}
