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
use crate::args::{Common, Mcp};
use crate::audit::Writer;
use crate::config::Config;
use crate::policies::{Loading, Shadow, keep_current};
use crate::signals::{Hangups, Requests};

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
pub async fn run(mcp: Mcp, common: Common, config: Config, warden: Warden) -> anyhow::Result<()> {
    let config = mcp.over(config);
    let (policy, failure) = Loading::begin(&config)?;
    let shadow = config.shadow_policy.clone().map(|file| {
        let settings = config.policy_settings.clone();
        Shadow::start(file, settings)
    });
    let shadow = shadow.transpose()?;
    let policy = Shadow::beside(shadow.as_ref(), policy);
    let audit = Writer::start(&config.audit)?;
    let mut settings = config.settings();
    settings.audit = audit.as_ref().map(Writer::teller);
    let terminal = Arc::new(Terminal::new(warden, policy, settings).context("no terminal")?);
    tokio::spawn(sweep(Arc::downgrade(&terminal)));
    let hangups = Hangups::listen().context("signals cannot be received")?;
    let weak = Arc::downgrade(&terminal);
    tokio::spawn(keep_current(weak, common, config, shadow, hangups));
    let ending = Ending::new();
    let requests = Requests::without_hangup().context("signals cannot be received")?;
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
    let result = tokio::select! {
        served = serving => {
            terminal.shut_down().await;
            served
        }
        error = failed => Err(error),
    };
    if let Some(audit) = audit {
        audit.finish();
    }
    result
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
