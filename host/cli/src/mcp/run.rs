//! One run of the server, from the first message to its end.

use std::sync::{Arc, Weak};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use ostler_terminal::Terminal;
use ostler_terminal::process::Warden;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use super::ending::Ending;
use super::orphaned::orphaned;
use super::server::Server;
use super::stdio::{Sink, source};
use super::transport::Lines;
use crate::config::Config;
use crate::policy_source::Loading;
use crate::signals::Requests;

/// How long calls in flight may go on after the client has closed its side, before they are ended: enough for a client
/// that sends its requests, closes and reads the answers.
const LINGER: Duration = Duration::from_millis(500);

/// Time between looks for expired output.
const SWEEP_PERIOD: Duration = Duration::from_secs(60);

/// Serves until the client closes its side, stops reading, or somebody asks this process to end. Calls in flight are
/// answered first.
///
/// # Errors
/// Where the policy cannot be loaded, or there is nothing to serve over.
pub async fn run(config: &Config, warden: Warden) -> anyhow::Result<()> {
    let policy = Loading::new();
    let failure = policy.begin(config)?;
    let terminal = Terminal::new(warden, policy, config.settings()).context("no terminal")?;
    let terminal = Arc::new(terminal);
    tokio::spawn(sweep(Arc::downgrade(&terminal)));
    let ending = Ending::new();
    let requests = Requests::listen().context("signals cannot be received")?;
    tokio::spawn(lead_to_the_end(ending.clone(), requests));
    tokio::spawn(end_everything(ending.clone(), Arc::clone(&terminal)));
    let source = source().context("standard input cannot be read")?;
    let sink = Sink::open().context("standard output cannot be written")?;
    let lines = Lines::new(source, sink, ending.clone());
    let serving = serve(Server::new(Arc::clone(&terminal)), lines);
    let failed = async {
        match failure.await {
            Ok(reason) => anyhow!(reason),
            // The policy is there.
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        served = serving => {
            terminal.shut_down().await;
            served
        }
        error = failed => Err(error),
    }
}

/// Forgets expired output also while nobody calls.
async fn sweep(terminal: Weak<Terminal>) {
    loop {
        tokio::time::sleep(SWEEP_PERIOD).await;
        match terminal.upgrade() {
            Some(terminal) => terminal.handles().sweep(),
            None => return,
        }
    }
}

async fn serve(server: Server, lines: Lines) -> anyhow::Result<()> {
    match server.serve(lines).await {
        Ok(service) => {
            service.waiting().await.context("the server broke")?;
            Ok(())
        }
        // A client that leaves before it has said anything.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            Ok(())
        }
        Err(error) => Err(anyhow!("no MCP client: {error}")),
    }
}

/// Ends what runs when that is wanted, so that calls in flight can be answered with what they have.
async fn end_everything(ending: Ending, terminal: Arc<Terminal>) {
    ending.stopping().await;
    terminal.shut_down().await;
}

/// Waits for a reason to end and moves on from there. A second signal ends the process at once; the warden then ends what
/// still runs.
async fn lead_to_the_end(ending: Ending, mut requests: Requests) {
    tokio::select! {
        _ = requests.next() => {}
        () = orphaned() => {}
        () = ending.no_more_requests() => {
            tokio::select! {
                () = tokio::time::sleep(LINGER) => {}
                () = ending.stopping() => {}
                _ = requests.next() => {}
            }
        }
    }
    ending.stop();
    let request = requests.next().await;
    std::process::exit(request.shell_status().into());
}
