//! A second policy that is asked the same as the current one, decides nothing, and is logged where it differs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::Context as _;
use ostler_terminal::policy::{
    Classification, Ending, Identity, Policy, PolicyFailure, Request, Review, ReviewError,
};

use super::source::load;
use crate::judgement::{Judgement, Meaning};

/// Questions that may wait for the shadow. What comes beyond is not compared, and the log says how many.
const QUEUE: usize = 256;

/// A thread that asks another policy and compares.
pub struct Shadow {
    questions: SyncSender<Question>,
    skipped: Arc<AtomicU64>,
}

/// What the current policy was asked, and what it said.
enum Question {
    Review(Request, Judgement),
    Ending(String, Ending, Meaning),
}

impl Shadow {
    /// Loads a policy and begins to listen.
    ///
    /// # Errors
    /// Where it cannot be used.
    pub fn start(file: PathBuf, settings: Option<String>) -> anyhow::Result<Arc<Self>> {
        let (questions, queue) = sync_channel(QUEUE);
        let skipped = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&skipped);
        let shadow = load(Some(&file), settings.as_deref()).context("shadow policy")?;
        thread::Builder::new()
            .name("policy-shadow".into())
            .spawn(move || compare(&shadow, &queue, &counted))
            .context("no thread for the shadow policy")?;
        Ok(Arc::new(Self { questions, skipped }))
    }

    /// The policy, with the shadow beside it if there is one.
    pub fn beside(shadow: Option<&Arc<Self>>, current: Arc<dyn Policy>) -> Arc<dyn Policy> {
        match shadow {
            Some(shadow) => Arc::new(Shadowed {
                current,
                shadow: Arc::clone(shadow),
            }),
            None => current,
        }
    }

    fn ask(&self, question: Question) {
        if self.questions.try_send(question).is_err() {
            self.skipped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A policy that is watched by a shadow.
struct Shadowed {
    current: Arc<dyn Policy>,
    shadow: Arc<Shadow>,
}

impl Policy for Shadowed {
    fn identity(&self) -> Identity {
        self.current.identity()
    }

    fn review(&self, request: &Request) -> Result<Review, ReviewError> {
        let answer = self.current.review(request);
        let judgement = Judgement::answer(&answer);
        self.shadow
            .ask(Question::Review(request.clone(), judgement));
        answer
    }

    fn classify(&self, command: &str, ending: &Ending) -> Result<Classification, PolicyFailure> {
        let answer = self.current.classify(command, ending);
        if let Ok(classification) = &answer {
            let meaning = classification.into();
            self.shadow.ask(Question::Ending(
                command.to_owned(),
                ending.clone(),
                meaning,
            ));
        }
        answer
    }
}

fn compare(shadow: &dyn Policy, questions: &Receiver<Question>, skipped: &AtomicU64) {
    let identity = shadow.identity();
    for question in questions {
        match question {
            Question::Review(request, current) => {
                let other = Judgement::answer(&shadow.review(&request));
                let differences = current.differences(&other);
                if !differences.is_empty() {
                    tracing::warn!(
                        shadow = %identity, command = request.command, ?differences,
                        current = text(&current), other = text(&other), "the shadow policy judges otherwise"
                    );
                }
            }
            Question::Ending(command, ending, current) => {
                let other = match shadow.classify(&command, &ending) {
                    Ok(classification) => Meaning::from(&classification),
                    Err(failure) => {
                        tracing::warn!(shadow = %identity, command, %failure, "the shadow policy failed");
                        continue;
                    }
                };
                if current.status != other.status {
                    tracing::warn!(
                        shadow = %identity, command, exit_code = ending.exit_code,
                        current = text(&current), other = text(&other), "the shadow policy reads the ending otherwise"
                    );
                }
            }
        }
        let skipped = skipped.swap(0, Ordering::Relaxed);
        if skipped > 0 {
            tracing::warn!(shadow = %identity, skipped, "the shadow policy is too slow: questions were not compared");
        }
    }
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
