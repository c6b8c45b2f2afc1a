//! A crate's modules, with their items, imports and the paths mentioned in their code. Test code is excluded.

use crate::lexer::{Kind, Token, lex};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A name that a module imports.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// The imported name in this module, or `*` for a glob.
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    /// True for any form of `pub use`. A re-export is only a dependency if the module's code uses the name.
    pub(crate) exported: bool,
}

/// A path in code, and its line.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

/// A module, which is a file or an inline module in one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module {
    /// The path in the crate, without the crate's name.
    pub(crate) path: Vec<String>,
    pub(crate) file: PathBuf,
    /// The module in whose file this one is defined, which is the module itself unless it is inline.
    pub(crate) owner: Vec<String>,
    pub(crate) children: Vec<String>,
    /// The items defined here, with their line numbers.
    pub(crate) items: BTreeMap<String, usize>,
    /// The macros defined here that `#[macro_export]` moves to the crate root.
    pub(crate) root_macros: Vec<String>,
    pub(crate) imports: Vec<Import>,
    pub(crate) mentions: Vec<Mention>,
    /// The string literals, with their line numbers.
    pub(crate) texts: Vec<(String, usize)>,
}

/// A crate's modules, by path.
pub(crate) type Modules = BTreeMap<Vec<String>, Module>;

/// A function that returns the text of a source file, or `None` if the file doesn't exist.
pub(crate) type Read<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// Reads a crate from its root file.
pub(crate) fn read_crate(root: &Path, read: Read) -> Modules {
    let mut modules = Modules::new();
    let folder = root.parent().expect("a source file has a folder");
    read_module(Vec::new(), &[root.to_owned()], folder, read, &mut modules);
    modules
}

/// Reads a module from the first of its possible files that exists, and its child modules from the folder below it.
fn read_module(path: Vec<String>, files: &[PathBuf], folder: &Path, read: Read, modules: &mut Modules) {
    let found = files.iter().find_map(|file| Some((file, read(file)?)));
    let (file, text) = found.unwrap_or_else(|| panic!("no file for the module {}: {files:?}", path.join("::")));
    let tokens = lex(&text).tokens;
    let depth = path.len();
    let mut parser = Parser { tokens, at: 0, file: file.clone(), owner: path.clone(), modules, files: Vec::new() };
    parser.module(path);
    for path in std::mem::take(&mut parser.files) {
        let below = folder.join(path[depth..].join("/"));
        read_module(path, &[below.with_extension("rs"), below.join("mod.rs")], &below, read, modules);
    }
}

const ITEMS: [&str; 8] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static"];

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    file: PathBuf,
    owner: Vec<String>,
    modules: &'a mut Modules,
    /// The modules declared here that have their own files.
    files: Vec<Vec<String>>,
}

impl Parser<'_> {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn sees(&self, ahead: usize, text: &str) -> bool {
        self.peek(ahead).is_some_and(|token| token.is(text))
    }

    /// Returns the identifier at the given distance ahead.
    fn ident(&self, ahead: usize) -> Option<String> {
        self.peek(ahead).filter(|token| token.kind == Kind::Ident).map(|token| token.text.clone())
    }

    /// Reads a module up to its closing brace or the end of the file.
    fn module(&mut self, path: Vec<String>) {
        let mut module = Module { path, file: self.file.clone(), owner: self.owner.clone(), ..Module::default() };
        // The open braces, with `true` for the braces of a macro call, whose contents are treated as items in the
        // module.
        let (mut braces, mut exported) = (Vec::new(), false);
        while let Some(token) = self.peek(0).cloned() {
            let item_level = braces.iter().all(|&transparent| transparent);
            match token.text.as_str() {
                text if token.kind == Kind::Text => {
                    module.texts.push((text.to_owned(), token.line));
                    self.at += 1;
                }
                "#" if self.test_attribute() => self.skip_item(),
                "}" if braces.is_empty() => break,
                "{" | "}" | ";" => {
                    match token.text.as_str() {
                        "{" => braces.push(self.at > 0 && self.tokens[self.at - 1].is("!")),
                        "}" => drop(braces.pop()),
                        _ => {}
                    }
                    exported = false;
                    self.at += 1;
                }
                "pub" => {
                    exported = item_level;
                    self.at += 1;
                    self.at += if self.sees(0, "(") { self.group_len() } else { 0 };
                }
                "use" => {
                    self.at += 1;
                    self.use_tree(&[], exported, &mut module);
                    exported = false;
                }
                "mod" if self.ident(1).is_some() => self.declared_module(&mut module),
                _ if self.item(&token, item_level, &mut module) => {}
                _ => self.mention(&mut module),
            }
        }
        self.modules.insert(module.path.clone(), module);
    }

    /// Reads the keyword and name of an item, if one starts here.
    fn item(&mut self, token: &Token, item_level: bool, module: &mut Module) -> bool {
        let rules = token.is("macro_rules");
        if !(rules || ITEMS.iter().any(|keyword| token.is(keyword))) {
            return false;
        }
        let ahead = if self.sees(1, "!") || self.sees(1, "mut") { 2 } else { 1 };
        let Some(name) = self.ident(ahead).filter(|name| !ITEMS.contains(&name.as_str())) else { return false };
        if rules && self.at > 1 && self.tokens[self.at - 2].is("macro_export") {
            module.root_macros.push(name.clone());
        }
        if item_level || rules {
            module.items.entry(name).or_insert(token.line);
        }
        self.at += ahead + 1;
        true
    }

    /// Reads `mod name;` or `mod name { ... }`.
    fn declared_module(&mut self, module: &mut Module) {
        let name = self.ident(1).expect("checked by the caller");
        let path = [&module.path[..], std::slice::from_ref(&name)].concat();
        if self.sees(2, ";") {
            self.files.push(path);
            self.at += 3;
        } else {
            assert!(self.sees(2, "{"), "{}: neither ; nor {{ after mod {name}", self.file.display());
            self.at += 3;
            self.module(path);
            self.at += 1;
        }
        module.children.push(name);
    }

    /// Reads a path in code, or skips a single token.
    fn mention(&mut self, module: &mut Module) {
        let line = self.peek(0).map_or(0, |token| token.line);
        let dot = |back: usize| self.at >= back && self.tokens[self.at - back].is(".");
        let field = dot(1) && !dot(2);
        let mut path = Vec::new();
        while let Some(name) = self.ident(0) {
            path.push(name);
            self.at += 1;
            if !(self.sees(0, "::") && self.ident(1).is_some()) {
                break;
            }
            self.at += 1;
        }
        if path.is_empty() {
            self.at += 1;
        } else if !field {
            module.mentions.push(Mention { path, line });
        }
    }

    /// Reads the rest of a `use` declaration, given the path before it.
    fn use_tree(&mut self, before: &[String], exported: bool, module: &mut Module) {
        let mut path = before.to_vec();
        while let Some(token) = self.peek(0).cloned() {
            self.at += 1;
            match token.text.as_str() {
                "{" => {
                    while !self.sees(0, "}") {
                        self.use_tree(&path, exported, module);
                    }
                    self.at += 1;
                    path.clear();
                }
                "*" => {
                    module.imports.push(Import { name: "*".into(), path: path.clone(), line: token.line, exported });
                    path.clear();
                }
                "::" => {}
                ";" | "," | "}" => {
                    self.at -= usize::from(token.is("}"));
                    break;
                }
                name => {
                    path.push(name.to_owned());
                    if self.sees(0, "::") {
                        continue;
                    }
                    let alias = if self.sees(0, "as") { self.ident(1) } else { None };
                    self.at += if alias.is_some() { 2 } else { 0 };
                    if name == "self" {
                        path.pop();
                    }
                    let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
                    module.imports.push(Import { name, path: std::mem::take(&mut path), line: token.line, exported });
                }
            }
        }
    }

    /// Returns `true` at an attribute that compiles the next item only for tests.
    fn test_attribute(&self) -> bool {
        self.sees(1, "[")
            && (self.sees(2, "test") && self.sees(3, "]")
                || self.sees(2, "cfg") && (self.sees(4, "test") || self.sees(4, "all") && self.sees(6, "test")))
    }

    /// Returns the number of tokens in the bracketed group that starts here.
    fn group_len(&self) -> usize {
        let mut depth = 0_usize;
        for (len, token) in self.tokens[self.at..].iter().enumerate() {
            match token.text.as_str() {
                "(" | "[" | "{" if token.kind == Kind::Punct => depth += 1,
                ")" | "]" | "}" if token.kind == Kind::Punct => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return len + 1;
            }
        }
        self.tokens.len() - self.at
    }

    /// Skips attributes and the item that follows them.
    fn skip_item(&mut self) {
        while self.sees(0, "#") {
            self.at += 1;
            self.at += self.group_len();
        }
        while self.at < self.tokens.len() {
            let (body, end) = (self.sees(0, "{"), self.sees(0, ";"));
            self.at += self.group_len();
            if body || end {
                break;
            }
        }
    }
}
