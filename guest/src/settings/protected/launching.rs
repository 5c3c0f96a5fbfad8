//! Commands that start a protected program, directly or through the desktop.

use super::Protected;
use super::killing::{has, words};
use crate::settings::commands::Command;

/// Programs that open what they are given with the program that the desktop has for it, or a named one.
const OPENERS: &[&str] = &[
    "exo-open",
    "explorer",
    "gio",
    "gnome-open",
    "gtk-launch",
    "gvfs-open",
    "ii",
    "invoke-item",
    "kde-open",
    "kde-open5",
    "kioclient",
    "open",
    "rundll32",
    "saps",
    "start",
    "start-process",
    "wslview",
    "xdg-open",
    "dex",
    "flatpak",
    "snap",
    "osascript",
];

/// The protected program that a command starts; `name` is the command's in lower case.
pub(super) fn launched<'a>(
    protected: &'a Protected,
    command: &Command<'_>,
    name: &str,
) -> Option<&'a str> {
    const HARMLESS: [&str; 6] = ["--version", "--product-version", "--help", "-h", "-v", "-?"];
    if let Some(found) = protected.startable(name) {
        let asks = has(command, |text| HARMLESS.contains(&text));
        return (!asks || command.args.len() > 1).then_some(found);
    }
    if !OPENERS.contains(&name) || has(command, |text| text == "--help") {
        return None;
    }
    match name {
        "flatpak" | "snap" => words(command)
            .skip_while(|word| word != "run")
            .find_map(|word| protected.startable(&word)),
        "osascript" => words(command)
            .filter(|word| {
                let lower = word.to_lowercase();
                ["activate", "launch", "run", "open", "reopen"]
                    .iter()
                    .any(|verb| {
                        lower
                            .split(|c: char| !c.is_alphanumeric())
                            .any(|w| w == *verb)
                    })
            })
            .find_map(|word| protected.in_text(&word)),
        "gio" if !has(command, |text| matches!(text, "open" | "launch")) => None,
        _ => words(command).find_map(|word| {
            let shown = word.trim_matches(['"', '\'']);
            if let Some(found) = protected.startable(shown) {
                return Some(found);
            }
            let lower = shown.to_lowercase();
            let address = ["http://", "https://", "microsoft-edge:"]
                .iter()
                .any(|scheme| lower.starts_with(scheme) || lower.contains(&format!(",{scheme}")));
            (protected.web && address).then_some("the browser")
        }),
    }
}
