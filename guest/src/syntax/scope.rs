//! What the text so far says about the shell's state: variables, functions, aliases, the directory.

use std::rc::Rc;

use brush_parser::ast;

use super::files::size;
use super::word::Word;

/// Longest value that is remembered, in bytes.
const MAX_VALUE_BYTES: usize = 16 * 1024;
/// Most names that are remembered.
const MAX_NAMES: usize = 256;

/// What a variable is known to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// One value, unknown parts as pieces.
    Scalar(Word),
    /// The elements of an indexed array.
    Array(Vec<Word>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Variable {
    name: String,
    /// `None` after an assignment whose value is not known.
    value: Option<Rc<Value>>,
    exported: bool,
}

#[derive(Debug, Clone)]
struct Function {
    name: String,
    body: Body,
    exported: bool,
}

/// A function's body.
pub(super) type Body = Rc<ast::FunctionBody>;

/// The state of one shell process.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    variables: Vec<Variable>,
    functions: Vec<Function>,
    /// Names that stand for other variables (`declare -n`).
    references: Vec<(String, String)>,
    /// Name, text, and whether the line that defines it has ended.
    aliases: Vec<(String, String, bool)>,
    /// Whether aliases expand from the next line on.
    pub aliases_wanted: bool,
    aliases_expand: bool,
    /// The directory that a `cd` has set, if literal.
    pub cwd: Option<String>,
    /// `$0`, where it is known.
    pub name: Option<Word>,
    /// `$1` and so on, where they are known.
    pub arguments: Option<Vec<Word>>,
}

impl Scope {
    /// The scope of another shell process started from here: it sees what is exported.
    pub(super) fn child(&self, arguments: Vec<Word>) -> Self {
        Self {
            variables: self
                .variables
                .iter()
                .filter(|variable| variable.exported)
                .cloned()
                .collect(),
            functions: self
                .functions
                .iter()
                .filter(|function| function.exported)
                .cloned()
                .collect(),
            cwd: self.cwd.clone(),
            arguments: Some(arguments),
            ..Self::default()
        }
    }

    /// The value of a variable, if it is known.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let name = self
            .references
            .iter()
            .rev()
            .find(|(reference, _)| reference == name)
            .map_or(name, |(_, target)| target);
        self.variables
            .iter()
            .find(|variable| variable.name == name)?
            .value
            .as_deref()
    }

    /// The value of a variable as one literal text, if it is known.
    pub(super) fn literal(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::Scalar(word) => word.literal(),
            Value::Array(words) => words.first()?.literal(),
        }
    }

    /// Makes a name stand for another variable.
    pub(super) fn refer(&mut self, name: &str, target: &str) {
        if self.references.len() < MAX_NAMES {
            self.references.push((name.to_owned(), target.to_owned()));
        }
    }

    fn slot(&mut self, name: &str) -> Option<&mut Variable> {
        let index = match self
            .variables
            .iter()
            .position(|variable| variable.name == name)
        {
            Some(index) => index,
            None if self.variables.len() < MAX_NAMES => {
                let name = name.to_owned();
                self.variables.push(Variable {
                    name,
                    value: None,
                    exported: false,
                });
                self.variables.len() - 1
            }
            None => return None,
        };
        self.variables.get_mut(index)
    }

    /// Assigns a variable; `None` where the value is not known.
    pub(super) fn set(&mut self, name: &str, value: Option<Value>) {
        let value = value.filter(|value| match value {
            Value::Scalar(word) => size(word) <= MAX_VALUE_BYTES,
            Value::Array(words) => words.iter().map(size).sum::<usize>() <= MAX_VALUE_BYTES,
        });
        if let Some(variable) = self.slot(name) {
            variable.value = value.map(Rc::new);
        }
    }

    /// Assigns a variable from a word.
    pub(super) fn set_word(&mut self, name: &str, word: Word) {
        self.set(name, Some(Value::Scalar(word)));
    }

    /// Makes child processes see a variable.
    pub(super) fn export(&mut self, name: &str) {
        if let Some(variable) = self.slot(name) {
            variable.exported = true;
        }
    }

    /// Makes child shells see a function.
    pub(super) fn export_function(&mut self, name: &str) {
        for function in self
            .functions
            .iter_mut()
            .filter(|function| function.name == name)
        {
            function.exported = true;
        }
    }

    /// Forgets a variable or function.
    pub(super) fn unset(&mut self, name: &str) {
        self.variables.retain(|variable| variable.name != name);
        self.functions.retain(|function| function.name != name);
    }

    /// Takes over what a branch that may or may not have run has changed: what differs is no longer
    /// known.
    /// Whether something that was known is not any more.
    pub(super) fn join(&mut self, branch: Self) -> bool {
        let mut lost = false;
        for theirs in &branch.variables {
            match self
                .variables
                .iter_mut()
                .find(|ours| ours.name == theirs.name)
            {
                Some(ours) if ours == theirs => {}
                Some(ours) => lost |= ours.value.take().is_some(),
                None => self.variables.push(Variable {
                    value: None,
                    ..theirs.clone()
                }),
            }
        }
        for function in branch.functions {
            if self.function(&function.name).is_none() {
                self.functions.push(function);
            }
        }
        self.aliases_wanted |= branch.aliases_wanted;
        if self.cwd != branch.cwd {
            lost |= self.cwd.take().is_some();
        }
        if self.arguments != branch.arguments {
            lost |= self.arguments.take().is_some();
        }
        lost
    }

    /// The body of a function.
    pub(super) fn function(&self, name: &str) -> Option<Body> {
        let found = self
            .functions
            .iter()
            .rev()
            .find(|function| function.name == name);
        found.map(|function| function.body.clone())
    }

    /// Defines a function.
    pub(super) fn define(&mut self, name: &str, body: Body) {
        self.functions.retain(|function| function.name != name);
        if self.functions.len() < MAX_NAMES {
            self.functions.push(Function {
                name: name.to_owned(),
                body,
                exported: false,
            });
        }
    }

    /// A new line begins: aliases of the lines before it take effect.
    pub(super) fn begin_line(&mut self) {
        self.aliases_expand = self.aliases_wanted;
        for (_, _, active) in &mut self.aliases {
            *active = true;
        }
    }

    /// The text of an alias, where aliases expand.
    pub(super) fn alias(&self, name: &str) -> Option<&str> {
        let mut active = self.aliases.iter().filter(|_| self.aliases_expand);
        let found = active.find(|(known, _, active)| *active && known == name);
        found.map(|(_, text, _)| text.as_str())
    }

    /// Defines an alias.
    pub(super) fn set_alias(&mut self, name: &str, text: &str) {
        self.remove_alias(name);
        if self.aliases.len() < MAX_NAMES {
            self.aliases.push((name.to_owned(), text.to_owned(), false));
        }
    }

    /// Removes an alias.
    pub(super) fn remove_alias(&mut self, name: &str) {
        self.aliases.retain(|(known, _, _)| known != name);
    }

    /// Remembers a `cd`.
    pub(super) fn change_directory(&mut self, target: Option<String>) {
        self.cwd = target.map(|target| match self.cwd.take() {
            Some(before) if !target.starts_with('/') => {
                format!("{}/{target}", before.trim_end_matches('/'))
            }
            _ => target,
        });
        if self
            .cwd
            .as_ref()
            .is_some_and(|cwd| cwd.len() > MAX_VALUE_BYTES)
        {
            self.cwd = None;
        }
    }
}
