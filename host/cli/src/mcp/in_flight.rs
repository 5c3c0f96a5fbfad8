//! Which requests have no answer yet, so that a flood of them is bounded.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use tokio::sync::Notify;

/// Requests without an answer at the same time: far more than agents send, and some 20 MiB at most.
const MAX_REQUESTS: usize = 2048;

/// Requests that were handed over and whose answers have not been written.
#[derive(Debug, Default)]
pub struct InFlight {
    requests: Mutex<HashSet<RequestId>>,
    room: Notify,
}

impl InFlight {
    /// Lets a message in, unless it is a request too many.
    pub fn admits(&self, message: &RxJsonRpcMessage<RoleServer>) -> bool {
        match message {
            JsonRpcMessage::Request(request) => {
                let mut requests = self.lock();
                let has_room = requests.len() < MAX_REQUESTS;
                if has_room {
                    requests.insert(request.id.clone());
                }
                has_room
            }
            JsonRpcMessage::Notification(notification) => {
                // A cancelled request gets no answer.
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.done(id);
                }
                true
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => true,
        }
    }

    /// The request with this id has been answered.
    pub fn done(&self, id: &RequestId) {
        if self.lock().remove(id) {
            self.room.notify_one();
        }
    }

    /// Waits until a request has been answered.
    pub async fn room(&self) {
        self.room.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The request that a message answers.
pub fn answered(message: &TxJsonRpcMessage<RoleServer>) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(response.id.clone()),
        JsonRpcMessage::Error(error) => error.id.clone(),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> RxJsonRpcMessage<RoleServer> {
        serde_json::from_str(text).unwrap()
    }

    fn ping(id: usize) -> RxJsonRpcMessage<RoleServer> {
        message(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#))
    }

    #[test]
    fn a_flood_is_let_in_up_to_the_limit() {
        let in_flight = InFlight::default();
        assert!((0..MAX_REQUESTS).all(|id| in_flight.admits(&ping(id))));
        assert!(!in_flight.admits(&ping(MAX_REQUESTS)));
        in_flight.done(&RequestId::Number(0));
        assert!(in_flight.admits(&ping(MAX_REQUESTS)));
    }

    #[test]
    fn a_cancelled_request_leaves_its_place() {
        let in_flight = InFlight::default();
        assert!((0..MAX_REQUESTS).all(|id| in_flight.admits(&ping(id))));
        let cancel =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
        assert!(in_flight.admits(&message(cancel)));
        assert!(in_flight.admits(&ping(MAX_REQUESTS)));
    }
}
