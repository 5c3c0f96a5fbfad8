//! The result of a tool: one object, as text for models and as structure for programs. It is made once: what the SDK carries as the
//! structure is a mark, in whose place the text goes when the message is written.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData, JsonRpcMessage, ServerResult};
use rmcp::service::{RoleServer, TxJsonRpcMessage};
use serde::Serialize;
use serde_json::json;

/// The one key of the object that stands for the structure.
const MARK: &str = "the same as the text";
/// As it is written. Text of a message never holds it like this: a quote in a text is escaped.
const WRITTEN_MARK: &[u8] = b"\"structuredContent\":{\"the same as the text\":true}";
const NAME: &[u8] = b"\"structuredContent\":";

/// The result that tells this object.
///
/// # Errors
/// Where it cannot be written as JSON, which is a fault of this program.
pub fn result(value: &impl Serialize, is_error: bool) -> Result<CallToolResult, ErrorData> {
    let text = serde_json::to_string(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(json!({ MARK: true }));
    result.is_error = Some(is_error);
    Ok(result)
}

/// A message as it goes to the client, ended by a newline.
///
/// # Errors
/// Where it cannot be written as JSON.
pub fn line(message: &TxJsonRpcMessage<RoleServer>) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    if let Some(text) = structure(message) {
        // The structure comes behind the text, which may be long.
        if let Some(at) = line
            .windows(WRITTEN_MARK.len())
            .rposition(|it| it == WRITTEN_MARK)
        {
            let rest = line.split_off(at + WRITTEN_MARK.len());
            line.truncate(at + NAME.len());
            line.reserve_exact(text.len() + rest.len() + 1);
            line.extend_from_slice(text.as_bytes());
            line.extend_from_slice(&rest);
        }
    }
    line.push(b'\n');
    Ok(line)
}

/// The text that stands for the structure of a result too.
fn structure(message: &TxJsonRpcMessage<RoleServer>) -> Option<&str> {
    let JsonRpcMessage::Response(response) = message else {
        return None;
    };
    let ServerResult::CallToolResult(result) = &response.result else {
        return None;
    };
    let is_marked = result
        .structured_content
        .as_ref()
        .is_some_and(|it| it[MARK] == true);
    let text = result.content.first()?.as_text()?;
    is_marked.then_some(text.text.as_str())
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_same_object_is_told_twice() {
        for value in [
            json!({"a": "x"}),
            json!({"a": "\"structuredContent\":{\"the same as the text\":true}"}),
            json!({}),
        ] {
            let result = ServerResult::CallToolResult(result(&value, true).unwrap());
            let line = line(&TxJsonRpcMessage::<RoleServer>::response(
                result,
                RequestId::Number(1),
            ))
            .unwrap();
            let message: Value = serde_json::from_slice(&line).unwrap();
            let text = message["result"]["content"][0]["text"].as_str().unwrap();
            assert_eq!(serde_json::from_str::<Value>(text).unwrap(), value);
            assert_eq!(message["result"]["structuredContent"], value);
            assert_eq!(
                (&message["result"]["isError"], line.last()),
                (&json!(true), Some(&b'\n'))
            );
        }
    }
}
