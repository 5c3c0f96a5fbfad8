//! Settings from a file: where it is looked for, what may stand in it, which of several sources wins.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use ostler_terminal::Settings;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::args::Common;

/// How many jobs may run at the same time.
const MAX_JOBS: &str = "TERMINAL_TOOLS_MAX_JOBS";

/// What may stand in the file. Every key is optional.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Who judges commands: a table, or the path of a component.
    #[serde(default, deserialize_with = "path_or_table")]
    pub policy: PolicyTable,
    /// Where commands are written down.
    #[serde(default)]
    pub audit: AuditTable,
    /// What to log on stderr.
    pub log: Option<String>,
    /// How much output is kept.
    #[serde(default)]
    pub output: OutputBudget,
    /// How many jobs there may be.
    #[serde(default)]
    pub jobs: JobBudget,
}

/// Who judges commands. A relative path starts at the folder of the file.
#[derive(Debug, Default, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyTable {
    /// The component; none = the built-in one.
    pub file: Option<PathBuf>,
    /// Another one that is asked the same, without deciding; where it differs is logged.
    pub shadow: Option<PathBuf>,
    /// Whether the server loads the component again whenever its file changes.
    #[serde(default)]
    pub watch: bool,
    /// Settings of the policy, passed to it as JSON.
    pub settings: Option<toml::Table>,
}

/// Where every command is written down.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditTable {
    /// The file; none = nowhere.
    pub file: Option<PathBuf>,
    /// MiB after which a new file is begun; 0 = never.
    pub max_mb: Option<u32>,
    /// Full files that are kept beside it.
    pub keep: Option<u32>,
}

/// How many jobs there may be, and how many are remembered.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobBudget {
    /// Jobs that run at the same time. The environment variable TERMINAL_TOOLS_MAX_JOBS wins over it.
    pub max_running: Option<u32>,
    /// Finished jobs that stay readable.
    pub max_finished: Option<u32>,
}

/// How much output is kept, and where. What is left out has the terminal's default.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputBudget {
    /// KiB at the beginning of each stream that are always kept.
    pub head_kb: Option<u32>,
    /// Newest KiB of each stream that are kept in memory.
    pub ring_kb: Option<u32>,
    /// MiB of each stream that are kept on disk; 0 = none.
    pub spill_mb: Option<u32>,
    /// MiB on disk for all streams together.
    pub spill_total_mb: Option<u32>,
    /// Folder for what is kept on disk.
    pub spill_folder: Option<PathBuf>,
    /// Seconds after the last read for which the output of a finished command is kept.
    pub retain_sec: Option<u32>,
    /// MiB of memory for the output of finished commands.
    pub retain_memory_mb: Option<u32>,
    /// MiB on disk for the output of finished commands.
    pub retain_disk_mb: Option<u32>,
}

/// What holds for this run, after the command line, the environment and the file were put together.
#[derive(Debug, Default, PartialEq)]
pub struct Config {
    /// Policy component; none = the built-in one.
    pub policy: Option<PathBuf>,
    /// Settings of the policy as JSON.
    pub policy_settings: Option<String>,
    /// Policy component that is asked beside it.
    pub shadow_policy: Option<PathBuf>,
    /// Whether the policy is loaded again when its file changes.
    pub watch_policy: bool,
    /// Where commands are written down.
    pub audit: AuditTable,
    /// What to log on stderr.
    pub log: Option<String>,
    /// How much output is kept.
    pub output: OutputBudget,
    /// How many jobs there may be.
    pub jobs: JobBudget,
}

impl Config {
    /// Reads the file, if there is one; what was typed or exported wins over it.
    ///
    /// # Errors
    /// Where a file that was asked for is missing, or a file holds something that is not understood.
    pub fn load(common: &Common) -> anyhow::Result<Self> {
        // An empty variable is one that somebody switched off.
        let given =
            |path: &Option<PathBuf>| path.clone().filter(|path| !path.as_os_str().is_empty());
        let (file, folder) = match given(&common.config) {
            Some(path) => (read(&path)?, path),
            None => match default_path() {
                Some(path) if path.exists() => (read(&path)?, path),
                _ => (File::default(), PathBuf::new()),
            },
        };
        let beside = |path: PathBuf| {
            folder
                .parent()
                .map_or_else(|| path.clone(), |at| at.join(&path))
        };
        if file.output.ring_kb == Some(0) {
            anyhow::bail!("output.ring_kb: 0 would lose output; at least 1 is needed");
        }
        let settings = file
            .policy
            .settings
            .map(|table| serde_json::to_string(&table));
        Ok(Self {
            policy: given(&common.policy).or(file.policy.file.map(beside)),
            policy_settings: settings.transpose().context("policy.settings: not JSON")?,
            shadow_policy: file.policy.shadow.map(beside),
            watch_policy: file.policy.watch,
            audit: AuditTable {
                file: given(&common.audit).or(file.audit.file.map(beside)),
                ..file.audit
            },
            log: common
                .log
                .clone()
                .filter(|log| !log.is_empty())
                .or(file.log),
            output: file.output,
            jobs: JobBudget {
                max_running: max_jobs(std::env::var_os(MAX_JOBS))?.or(file.jobs.max_running),
                ..file.jobs
            },
        })
    }
}

impl Config {
    /// The settings of the terminal.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        let output = &self.output;
        let capacity = &mut settings.capacity;
        set(&mut capacity.head_bytes, output.head_kb, |kb| {
            kb as usize * 1024
        });
        set(&mut capacity.ring_bytes, output.ring_kb, |kb| {
            kb as usize * 1024
        });
        set(&mut capacity.spill_bytes, output.spill_mb, |mb| {
            u64::from(mb) << 20
        });
        set(&mut settings.spill_bytes, output.spill_total_mb, |mb| {
            u64::from(mb) << 20
        });
        let handles = &mut settings.handles;
        set(&mut handles.ttl, output.retain_sec, |sec| {
            Duration::from_secs(sec.into())
        });
        set(&mut handles.memory_bytes, output.retain_memory_mb, |mb| {
            (mb as usize) << 20
        });
        set(&mut handles.disk_bytes, output.retain_disk_mb, |mb| {
            u64::from(mb) << 20
        });
        if let Some(folder) = &output.spill_folder {
            settings.spill_folder = Some(folder.clone());
        }
        let jobs = &mut settings.jobs;
        set(&mut jobs.max_running, self.jobs.max_running, |number| {
            number as usize
        });
        set(&mut jobs.max_finished, self.jobs.max_finished, |number| {
            number as usize
        });
        settings
    }
}

/// How many jobs may run, as the environment says it.
fn max_jobs(value: Option<OsString>) -> anyhow::Result<Option<u32>> {
    // An empty variable is one that somebody switched off.
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let number = value.to_str().and_then(|text| text.trim().parse().ok());
    match number {
        Some(number) => Ok(Some(number)),
        None => anyhow::bail!("{MAX_JOBS}: expected a whole number, found {value:?}"),
    }
}

fn path_or_table<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PolicyTable, D::Error> {
    match toml::Value::deserialize(deserializer)? {
        toml::Value::String(path) => Ok(PolicyTable {
            file: Some(path.into()),
            ..PolicyTable::default()
        }),
        table => table.try_into().map_err(D::Error::custom),
    }
}

fn set<T>(field: &mut T, value: Option<u32>, convert: impl FnOnce(u32) -> T) {
    if let Some(value) = value {
        *field = convert(value);
    }
}

fn read(path: &Path) -> anyhow::Result<File> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => anyhow!("settings file {} does not exist", path.display()),
        _ => anyhow!("settings file {} cannot be read: {error}", path.display()),
    })?;
    parse(&text).with_context(|| format!("settings file {}", path.display()))
}

fn parse(text: &str) -> anyhow::Result<File> {
    toml::from_str(text).map_err(|error| anyhow!("{}", error.to_string().trim_end()))
}

/// `$XDG_CONFIG_HOME/ostler/config.toml`, else `~/.config/ostler/config.toml`. A relative XDG folder is to be ignored:
/// <https://specifications.freedesktop.org/basedir-spec/latest/>.
fn default_path() -> Option<PathBuf> {
    let absolute = |name| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(folder.join("ostler/config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common(config: &Path) -> Common {
        Common {
            policy: None,
            config: Some(config.to_owned()),
            audit: None,
            log: None,
        }
    }

    fn with_file<R>(text: &str, test: impl FnOnce(&Path) -> R) -> R {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        test(&path)
    }

    #[test]
    fn a_file_is_read_and_its_policy_lies_beside_it() {
        let text = "log = 'debug'\n[policy]\nfile = 'strict.wasm'\n[policy.settings]\nrefuse = ['git.force-push']\n[output]\nring_kb = 64\n";
        with_file(text, |path| {
            let config = Config::load(&common(path)).unwrap();
            assert_eq!(config.policy, Some(path.with_file_name("strict.wasm")));
            assert_eq!(
                config.policy_settings.as_deref(),
                Some(r#"{"refuse":["git.force-push"]}"#)
            );
            assert_eq!(config.log.as_deref(), Some("debug"));
            assert_eq!(config.settings().capacity.ring_bytes, 64 << 10);
        });
    }

    #[test]
    fn the_number_of_jobs_is_a_number() {
        let read = |text: &str| max_jobs(Some(text.into())).map_err(|error| error.to_string());
        assert_eq!(read("7"), Ok(Some(7)));
        assert_eq!((read(""), max_jobs(None).unwrap()), (Ok(None), None));
        assert_eq!(
            read("many").unwrap_err(),
            "TERMINAL_TOOLS_MAX_JOBS: expected a whole number, found \"many\""
        );
    }

    #[test]
    fn what_was_typed_wins_over_the_file() {
        with_file("policy = 'a.wasm'\nlog = 'debug'\n", |path| {
            let typed = Common {
                policy: Some("b.wasm".into()),
                log: Some("info".into()),
                ..common(path)
            };
            let config = Config::load(&typed).unwrap();
            assert_eq!(config.policy, Some("b.wasm".into()));
            assert_eq!(config.log.as_deref(), Some("info"));
        });
    }

    #[test]
    fn an_empty_value_is_switched_off() {
        with_file("", |path| {
            let typed = Common {
                policy: Some("".into()),
                log: Some("".into()),
                ..common(path)
            };
            assert_eq!(Config::load(&typed).unwrap(), Config::default());
        });
    }

    #[test]
    fn an_unknown_key_is_named_with_the_known_ones() {
        let error = parse("polcy = 'x'\n").unwrap_err().to_string();
        assert!(error.contains("unknown field `polcy`"), "{error}");
        assert!(
            error.contains("`policy`, `audit`, `log`, `output`, `jobs`"),
            "{error}"
        );
        let error = parse("[policy]\nfil = 'x'\n").unwrap_err().to_string();
        assert!(
            error.contains("unknown field `fil`") && error.contains("`file`"),
            "{error}"
        );
        let error = parse("[output]\nring = 1\n").unwrap_err().to_string();
        assert!(
            error.contains("unknown field `ring`") && error.contains("`ring_kb`"),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_was_asked_for_must_exist() {
        let error = Config::load(&common(Path::new("/does/not/exist.toml"))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "settings file /does/not/exist.toml does not exist"
        );
    }
}
