//! What calls do, whatever language they are written in, by their names.

/// What a call does with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Runs its first text as a shell command, or its texts as one command's words.
    Runs,
    /// Runs its first text as a program of the same language.
    Evaluates,
    /// Runs a file or the page at an address.
    Loads,
    /// Opens a file, or a pipe into or out of a command (Perl).
    Opens,
    /// Moves its first text to its second.
    Moves,
    /// Cuts the file that its first text names.
    Cuts,
    /// Empties or replaces the file that its first text names.
    Writes,
    /// Runs its first text as SQL.
    Queries,
    /// Deletes the tree named by its argument.
    RemovesTree,
    /// Deletes the tree if its options say so, the file otherwise.
    RemovesIfTold,
    /// Deletes the file named by its argument.
    Removes,
}

use Effect::{
    Cuts, Evaluates, Loads, Moves, Opens, Queries, Removes, RemovesIfTold, RemovesTree, Runs,
    Writes,
};

/// Names of calls by their last part (after `.`, `::` or `->`), with what must stand before it,
/// if anything must.
#[rustfmt::skip]
const CALLS: &[(&str, &str, Effect)] = &[
    // Python
    ("system", "", Runs), ("popen", "", Runs), ("run", "subprocess", Runs),
    ("call", "subprocess", Runs), ("check_call", "", Runs), ("check_output", "", Runs),
    ("Popen", "", Runs), ("getoutput", "", Runs), ("getstatusoutput", "", Runs),
    ("create_subprocess_shell", "", Runs), ("create_subprocess_exec", "", Runs),
    ("execv", "os", Runs), ("execvp", "os", Runs), ("execl", "os", Runs), ("execlp", "os", Runs),
    ("execve", "os", Runs), ("execvpe", "os", Runs), ("posix_spawn", "", Runs),
    ("posix_spawnp", "", Runs), ("spawnlp", "", Runs), ("spawnvp", "", Runs),
    ("spawn", "", Runs), ("rmtree", "", RemovesTree), ("removedirs", "os", RemovesTree),
    ("remove", "os", Removes), ("unlink", "", RemovesIfTold),
    // JavaScript
    ("exec", "", Runs), ("execSync", "", Runs), ("execFile", "", Runs),
    ("execFileSync", "", Runs), ("spawnSync", "", Runs), ("execa", "", Runs),
    ("execaSync", "", Runs), ("execaCommand", "", Runs), ("execaCommandSync", "", Runs),
    ("Command", "Deno", Runs), ("run", "Deno", Runs), ("Command", "exec", Runs),
    ("spawn", "Bun", Runs), ("$", "", Runs), ("rmSync", "", RemovesIfTold),
    ("rmdirSync", "", RemovesIfTold), ("rm", "", RemovesIfTold), ("rmdir", "fs", RemovesIfTold),
    ("rmdir", "promises", RemovesIfTold), ("unlinkSync", "", Removes),
    ("emptyDirSync", "", RemovesTree), ("emptyDir", "", RemovesTree),
    ("rimraf", "", RemovesTree), ("rimrafSync", "", RemovesTree),
    ("sync", "rimraf", RemovesTree), ("removeSync", "", RemovesIfTold),
    ("remove", "Deno", RemovesIfTold), ("remove", "fs", RemovesTree),
    // Ruby, Crystal
    ("rm_rf", "", RemovesTree), ("rm_r", "", RemovesTree), ("remove_dir", "", RemovesTree),
    ("remove_entry", "", RemovesTree), ("remove_entry_secure", "", RemovesTree),
    ("rm_f", "", Removes), ("delete", "File", Removes), ("capture2", "", Runs),
    ("capture2e", "", Runs), ("capture3", "", Runs), ("popen2", "", Runs),
    ("popen2e", "", Runs), ("popen3", "", Runs), ("rm_rf!", "", RemovesTree),
    // Perl
    ("remove_tree", "", RemovesTree), ("open", "", Opens), ("readpipe", "", Runs),
    // PHP
    ("shell_exec", "", Runs), ("passthru", "", Runs), ("proc_open", "", Runs),
    ("pcntl_exec", "", Runs), ("deleteDirectory", "", RemovesTree),
    // Lua, R, Java, Groovy, Julia, Elixir, Go, Rust, Haskell, Nim
    ("execute", "os", Runs), ("file.remove", "", Removes), ("ProcessBuilder", "", Runs),
    ("cmd", "System", Runs), ("cmd", "os", Runs), ("shell", "System", Runs),
    ("system2", "", Runs), ("unlink_recursive", "", RemovesTree),
    ("deleteDir", "", RemovesTree), ("dir_delete", "", RemovesTree),
    ("deleteDirectory", "FileUtils", RemovesTree), ("cleanDirectory", "", RemovesTree),
    ("RemoveAll", "os", RemovesTree), ("remove_dir_all", "", RemovesTree),
    ("removeDirectoryRecursive", "", RemovesTree), ("removePathForcibly", "", RemovesTree),
    ("callCommand", "", Runs), ("callProcess", "", Runs), ("readProcess", "", Runs),
    ("execShellCmd", "", Runs), ("execCmd", "", Runs), ("execCmdEx", "", Runs),
    ("removeDir", "", RemovesTree), ("Process", "", Runs), ("script", "", Runs),
    ("deleteRecursively", "", RemovesTree), ("removeItem", "", RemovesTree),
    ("shellOut", "", Runs),
    // Lisp, Vim
    ("delete-directory", "", RemovesIfTold), ("delete-file", "", Removes),
    ("shell-command", "", Runs), ("shell-command-to-string", "", Runs),
    ("async-shell-command", "", Runs), ("call-process", "", Runs),
    ("call-process-shell-command", "", Runs), ("start-process", "", Runs),
    ("run-program", "", Runs), ("delete-directory-tree", "", RemovesTree), ("systemlist", "", Runs),
    // Programs in strings
    ("eval", "", Evaluates), ("instance_eval", "", Evaluates),
    ("class_eval", "", Evaluates), ("Function", "", Evaluates), ("runInNewContext", "", Evaluates),
    ("runInThisContext", "", Evaluates), ("loadstring", "", Evaluates),
    ("create_function", "", Evaluates), ("EvalFile", "", Evaluates),
    ("source", "", Loads), ("source_url", "", Loads), ("import", "", Loads), ("load", "", Loads),
    ("include", "", Loads), ("require", "", Loads), ("run_path", "", Loads),
    // Files
    ("writeFileSync", "", Writes), ("writeFile", "", Writes), ("createWriteStream", "", Writes),
    ("truncateSync", "", Cuts), ("truncate", "os", Cuts), ("truncate", "File", Cuts),
    ("move", "shutil", Moves), ("rename", "os", Moves), ("renames", "os", Moves),
    ("renameSync", "", Moves), ("mv", "FileUtils", Moves), ("rename", "File", Moves),
    ("write", "File", Writes), ("write", "IO", Writes),
    ("file_put_contents", "", Writes), ("fopen", "", Opens), ("writeTextFileSync", "", Writes),
    ("writeTextFile", "", Writes), ("writeLines", "", Writes), ("spew", "", Writes),
    ("openSync", "", Opens),
    // Databases
    ("execute", "", Queries), ("executescript", "", Queries), ("executemany", "", Queries),
    ("exec_driver_sql", "", Queries), ("query", "", Queries), ("raw", "", Queries),
    ("unsafe", "", Queries), ("do", "", Queries), ("prepare", "", Queries),
    ("$executeRawUnsafe", "", Queries), ("$executeRaw", "", Queries),
    ("$queryRawUnsafe", "", Queries), ("mysqli_query", "", Queries), ("multi_query", "", Queries),
    ("pg_query", "", Queries), ("executeUpdate", "", Queries), ("executeQuery", "", Queries),
    ("execSQL", "", Queries), ("dbExecute", "", Queries), ("dbSendQuery", "", Queries),
    ("dbGetQuery", "", Queries), ("sql", "", Queries), ("text", "", Queries), ("run", "", Queries),
    ("command", "", Queries), ("statement", "", Queries), ("unprepared", "", Queries),
];

/// Calls of client libraries that lose what they name, with their rule and what is lost.
#[rustfmt::skip]
pub(super) const LOSSES: &[(&str, &str, &str)] = &[
    ("flushall", "db.drop", "empties every database of the server"),
    ("flushAll", "db.drop", "empties every database of the server"),
    ("flushdb", "db.drop", "empties the database"),
    ("flushDb", "db.drop", "empties the database"),
    ("drop_database", "db.drop", "drops a database and all that it holds"),
    ("dropDatabase", "db.drop", "drops a database and all that it holds"),
    ("drop_collection", "db.drop", "drops a collection and all its documents"),
    ("dropCollection", "db.drop", "drops a collection and all its documents"),
    ("drop_all", "db.drop", "drops every table of the schema"),
    ("drop_table", "db.drop", "drops a table and all its rows"),
    ("dropTable", "db.drop", "drops a table and all its rows"),
    ("dropIfExists", "db.drop", "drops a table and all its rows"),
    ("delete_all", "db.unfiltered", "deletes every row of a table: no filter"),
    ("destroy_all", "db.unfiltered", "deletes every row of a table: no filter"),
    ("delete_bucket", "cloud.aws", "deletes a bucket"),
    ("deleteBucket", "cloud.aws", "deletes a bucket"),
    ("terminate_instances", "cloud.aws", "terminates instances and their disks"),
    ("delete_db_instance", "cloud.aws", "deletes a database instance"),
    ("delete_db_cluster", "cloud.aws", "deletes a database cluster"),
    ("delete_stack", "cloud.aws", "deletes a stack and its resources"),
    ("schedule_key_deletion", "cloud.aws", "deletes a key: what it encrypted is lost"),
    ("purge_queue", "cloud.aws", "empties a queue"),
    ("indices.delete", "db.drop", "deletes an index and all its documents"),
    ("delete_by_query", "db.unfiltered", "deletes the documents that a query finds"),
    ("delete_namespace", "k8s.delete", "deletes a namespace and all in it"),
    ("delete_namespaced_deployment", "k8s.delete", "deletes a deployment"),
];

/// Calls that bring something from the network.
const FETCHES: &[(&str, &str)] = &[
    ("urlopen", ""),
    ("urlretrieve", ""),
    ("get", "requests"),
    ("get", "httpx"),
    ("get", "axios"),
    ("get", "HTTP"),
    ("get", "http"),
    ("get", "LWP"),
    ("getstore", ""),
    ("fetch", ""),
    ("curl_exec", ""),
    ("open", "URI"),
    ("get_response", ""),
    ("HttpClient", ""),
    ("url", ""),
];

/// The effect of a called name.
pub(super) fn effect(name: &str) -> Option<Effect> {
    find(
        name,
        CALLS
            .iter()
            .map(|(call, owner, effect)| (*call, *owner, *effect)),
    )
}

/// Whether a called name fetches something.
pub(super) fn fetches(name: &str) -> bool {
    find(
        name,
        FETCHES.iter().map(|(call, owner)| (*call, *owner, ())),
    )
    .is_some()
}

fn find<T>(
    name: &str,
    mut table: impl Iterator<Item = (&'static str, &'static str, T)>,
) -> Option<T> {
    let last = super::scan::last_part(name);
    let before = name.strip_suffix(last).unwrap_or_default();
    let fits = |call: &str, owner: &str| {
        (call == last || call == name) && (owner.is_empty() || before.contains(owner))
    };
    table
        .find(|(call, owner, _)| fits(call, owner))
        .map(|(_, _, value)| value)
}
