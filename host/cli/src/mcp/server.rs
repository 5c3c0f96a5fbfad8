//! The MCP server: which tools there are, and which code answers a call.

use std::sync::{Arc, LazyLock};

use ostler_terminal::Terminal;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::jobs::answer::Answer;
use super::jobs::{logs, manage, start};
use super::result::result;
use super::search::{Searches, glob, rg};
use super::{exec, output_get};
use crate::envelope::Envelope;

/// What an agent is told about the server as a whole.
const INSTRUCTIONS: &str = "\
A native terminal. Run commands with terminal_exec; read output that was cut with terminal_output_get. What takes long goes \
on as a job: follow it with terminal_job_logs, list, signal and write to jobs with terminal_job_manage, start servers and \
watchers with terminal_job_start. Search files with terminal_rg and terminal_glob. Jobs end with this server. Calls run side by side: send independent ones at once. Judge a result by `semantic_status` and `semantic_message`. Before something \
that cannot be undone, look at it first (list before rm, --dry-run, git status); a `warning` comes after the fact. When a \
command needs input, give `stdin` or flags such as --yes: there is no terminal to type into. Cancelling a call ends \
its command and everything that it started.";

/// Requests that this server understands; with parameters that it does not.
const UNDERSTOOD: &[&str] = &["initialize", "ping", "tools/list", "tools/call"];

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    vec![
        tool::<exec::Parameters, Envelope>(
            exec::NAME,
            exec::DESCRIPTION,
            ToolAnnotations::with_title("Run a command")
                .read_only(false)
                .destructive(true)
                .idempotent(false)
                .open_world(true),
        ),
        tool::<output_get::Parameters, output_get::Page>(
            output_get::NAME,
            output_get::DESCRIPTION,
            ToolAnnotations::with_title("Read long output")
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false),
        ),
        tool::<start::Parameters, Answer<start::Started>>(
            start::NAME,
            start::DESCRIPTION,
            ToolAnnotations::with_title("Start a job")
                .read_only(false)
                .destructive(true)
                .idempotent(false)
                .open_world(true),
        ),
        tool::<logs::Parameters, Answer<logs::Page>>(
            logs::NAME,
            logs::DESCRIPTION,
            ToolAnnotations::with_title("Read a job")
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false),
        ),
        tool::<manage::Parameters, manage::Managed>(
            manage::NAME,
            manage::DESCRIPTION,
            ToolAnnotations::with_title("List and control jobs")
                .read_only(false)
                .destructive(true)
                .idempotent(false)
                .open_world(false),
        ),
        tool::<rg::Parameters, Answer<rg::Matches>>(
            rg::NAME,
            rg::DESCRIPTION,
            ToolAnnotations::with_title("Search text")
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false),
        ),
        tool::<glob::Parameters, Answer<glob::Paths>>(
            glob::NAME,
            glob::DESCRIPTION,
            ToolAnnotations::with_title("Find files")
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false),
        ),
    ]
});

fn tool<Input: JsonSchema, Output: JsonSchema>(
    name: &'static str,
    description: &'static str,
    annotations: ToolAnnotations,
) -> Tool {
    let input = schema::<Input>(SchemaSettings::draft2020_12());
    let output = schema::<Output>(SchemaSettings::draft2020_12().for_serialize());
    Tool::new(name, description, input)
        .with_raw_output_schema(output)
        .with_annotations(annotations)
}

/// The schema of a type, without the title and description of the type itself, which tell an agent nothing.
fn schema<T: JsonSchema>(settings: SchemaSettings) -> Arc<JsonObject> {
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.remove("description");
    match schema.to_value() {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

/// Serves one terminal to one client.
pub struct Server {
    terminal: Arc<Terminal>,
    searches: Searches,
}

impl Server {
    /// A server for this terminal.
    pub fn new(terminal: Arc<Terminal>) -> Self {
        Self {
            terminal,
            searches: Searches::new(),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("ostler", env!("CARGO_PKG_VERSION")).with_title("Ostler");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        TOOLS.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let result = match request.name.as_ref() {
            exec::NAME => {
                let envelope = exec::call(&self.terminal, arguments, &context).await;
                let envelope = envelope.ok_or_else(cancelled)?;
                result(&envelope, envelope.error.is_some())?
            }
            output_get::NAME => {
                let terminal = Arc::clone(&self.terminal);
                let read = move || output_get::call(terminal.handles(), arguments);
                let page = tokio::task::spawn_blocking(read)
                    .await
                    .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
                result(&page, page.error.is_some())?
            }
            start::NAME => {
                let started = start::call(&self.terminal, arguments).await;
                result(&started, started.error.is_some())?
            }
            logs::NAME => {
                let page = tokio::select! {
                    page = logs::call(&self.terminal, arguments) => page,
                    // Nobody waits for the answer; the job goes on.
                    () = context.ct.cancelled() => return Err(cancelled()),
                };
                result(&page, page.error.is_some())?
            }
            manage::NAME => {
                let managed = manage::call(&self.terminal, arguments).await;
                result(&managed, managed.error.is_some())?
            }
            rg::NAME => {
                let matches = rg::call(&self.searches, arguments, &context).await;
                if context.ct.is_cancelled() {
                    return Err(cancelled());
                }
                result(&matches, matches.error.is_some())?
            }
            glob::NAME => {
                let paths = glob::call(&self.searches, arguments, &context).await;
                if context.ct.is_cancelled() {
                    return Err(cancelled());
                }
                result(&paths, paths.error.is_some())?
            }
            unknown => {
                let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name.as_ref()).collect();
                let text = format!("unknown tool {unknown:?}; known are {}", known.join(", "));
                return Err(ErrorData::invalid_params(text, None));
            }
        };
        Ok(result.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        Err(if UNDERSTOOD.contains(&method.as_str()) {
            let text = format!("{method}: the parameters are not those of this method");
            ErrorData::invalid_params(text, None)
        } else {
            ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("unknown method {method:?}"),
                None,
            )
        })
    }
}

fn cancelled() -> ErrorData {
    ErrorData::internal_error("cancelled", None)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::envelope::EndReason;

    #[test]
    fn tools_are_told_with_schemas_and_annotations() {
        let tools = serde_json::to_value(&*TOOLS).unwrap();
        for tool in tools.as_array().unwrap() {
            assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
            assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
            assert!(tool["description"].as_str().unwrap().len() > 100);
            assert!(!tool["annotations"].is_null());
            let text = tool.to_string();
            assert!(
                !text.contains("session_cwd\"") && !text.contains("crm_principal"),
                "{text}"
            );
            assert!(
                !text.contains("$ref"),
                "schemas stand for themselves: {text}"
            );
        }
        assert_eq!(tools[0]["annotations"]["destructiveHint"], json!(true));
        assert_eq!(tools[1]["annotations"]["readOnlyHint"], json!(true));
    }

    #[test]
    fn the_contract_keys_of_the_envelope_come_first_and_in_order() {
        let envelope = Envelope::not_started("no".into(), EndReason::Invalid);
        let value = serde_json::to_value(&envelope).unwrap();
        let keys: Vec<&str> = value
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let expected = [
            "exit_code",
            "stdout",
            "stderr",
            "stdout_truncated_bytes",
            "stderr_truncated_bytes",
            "runtime_ms",
            "pid",
            "output_handle",
            "timed_out",
            "semantic_status",
            "semantic_message",
            "warning",
            "auto_backgrounded",
            "job_id",
            "auto_shell",
            "shell_kind",
            "error",
            "code",
            "end_reason",
        ];
        assert_eq!(keys, expected);
    }
}
