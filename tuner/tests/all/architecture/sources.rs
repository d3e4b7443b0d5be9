//! Who uses whom, as the sources say: every `use`, every path of two or more words and every such path
//! within a macro's tokens, each followed through re-exports to the file that defines the name.
//!
//! Code that is compiled for tests alone is left out. A folder's `mod.rs` that hands on names of
//! its own files uses nobody; the names that it hands on count for those who ask for them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, Item, ItemUse, Macro, UseTree, Visibility};

/// A path as a list of words: the crate, its modules, perhaps a name.
type Words = Vec<String>;

/// More imports than this in a row only a circle of re-exports has.
const LONGEST_CHAIN: usize = 32;

/// The uses that the sources make of each other.
#[derive(Default, Debug)]
pub struct Uses {
    pub files: BTreeSet<String>,
    /// Pairs of files of which the first uses a name of the second.
    pub arrows: BTreeSet<(String, String)>,
    /// Names of the standard library and of other people's crates, by the file that uses them;
    /// macros end in `!`.
    pub foreign: BTreeSet<(String, String)>,
}

/// The modules of all crates.
pub struct Sources {
    texts: BTreeMap<String, String>,
    modules: BTreeMap<Words, Module>,
}

struct Module {
    file: String,
    items: Vec<Item>,
    names: BTreeMap<String, Vec<Meaning>>,
    /// Modules of which all names are imported.
    globs: Vec<Words>,
}

/// The meaning of a name in a module.
enum Meaning {
    Item,
    Module,
    Import(Words),
}

/// The target of a path: a module, an item by the module that defines it, or something foreign.
enum Target {
    Module(Words),
    Item(Words),
    Foreign(Words),
}

impl Sources {
    /// Reads the sources of all crates of a workspace. Each has the name of its folder.
    pub fn load(workspace: &Path) -> Sources {
        let manifest = std::fs::read_to_string(workspace.join("Cargo.toml")).expect("a text");
        let manifest: toml::Table = manifest.parse().expect("TOML");
        let members = manifest["workspace"]["members"].as_array().expect("a list of folders");
        let mut texts = Vec::new();
        let mut open: Vec<(PathBuf, String)> = members
            .iter()
            .map(|member| {
                let folder = workspace.join(member.as_str().expect("a folder"));
                let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
                (folder.join("src"), format!("{name}/src"))
            })
            .collect();
        while let Some((folder, place)) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let entry = entry.expect("an entry");
                let path = format!("{place}/{}", entry.file_name().to_string_lossy());
                if entry.path().is_dir() {
                    open.push((entry.path(), path));
                } else if path.ends_with(".rs") {
                    let text = std::fs::read_to_string(entry.path()).expect("a text");
                    texts.push((path, text));
                }
            }
        }
        Sources::of(texts)
    }

    /// Takes texts by their paths, `crate/src/module.rs`; a later one replaces an earlier one.
    pub fn of(texts: impl IntoIterator<Item = (String, String)>) -> Sources {
        let mut sources = Sources { texts: texts.into_iter().collect(), modules: BTreeMap::new() };
        let roots: Vec<String> = sources.texts.keys().cloned().collect();
        for file in roots {
            if let Some(name) = file.strip_suffix("/src/lib.rs") {
                sources.add_file(vec![name.to_owned()], &file);
            } else if let Some(name) = file.strip_suffix("/src/main.rs") {
                // Not the name of the library, of which it is a user like others.
                sources.add_file(vec![format!("{name} (program)")], &file);
            }
        }
        sources
    }

    fn add_file(&mut self, path: Words, file: &str) {
        let text = self.texts.get(file).unwrap_or_else(|| panic!("{file} is missing"));
        let items = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}")).items;
        let stem = file.trim_end_matches(".rs");
        let is_root = ["/mod", "/lib", "/main"].iter().find_map(|end| stem.strip_suffix(end));
        self.add_module(path, file, is_root.unwrap_or(stem), items);
    }

    /// Adds a module and those within it; the files of these are in `folder`.
    fn add_module(&mut self, path: Words, file: &str, folder: &str, items: Vec<Item>) {
        let items: Vec<Item> =
            items.into_iter().filter(|it| !is_for_tests(attributes(it))).collect();
        let mut names: BTreeMap<String, Vec<Meaning>> = BTreeMap::new();
        let mut globs = Vec::new();
        for item in &items {
            match item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    names.entry(name.clone()).or_default().push(Meaning::Module);
                    let child = [path.clone(), vec![name.clone()]].concat();
                    match &module.content {
                        Some((_, items)) => {
                            let folder = format!("{folder}/{name}");
                            self.add_module(child, file, &folder, items.clone());
                        }
                        None => {
                            let beside = format!("{folder}/{name}.rs");
                            let inside = format!("{folder}/{name}/mod.rs");
                            let is_beside = self.texts.contains_key(&beside);
                            self.add_file(child, if is_beside { &beside } else { &inside });
                        }
                    }
                }
                Item::Use(item) => {
                    for leaf in leaves_of(&item.tree, Vec::new()) {
                        match leaf.name {
                            Some(name) => {
                                names.entry(name).or_default().push(Meaning::Import(leaf.path));
                            }
                            None => globs.push(leaf.path),
                        }
                    }
                }
                other => {
                    if let Some(name) = name_of(other) {
                        names.entry(name).or_default().push(Meaning::Item);
                    }
                }
            }
        }
        self.modules.insert(path, Module { file: file.to_owned(), items, names, globs });
    }

    pub fn uses(&self) -> Uses {
        let mut uses = Uses::default();
        for (path, module) in &self.modules {
            uses.files.insert(module.file.clone());
            let mut reader = Reader { sources: self, path, file: &module.file, uses: &mut uses };
            for item in module.items.iter().filter(|item| !matches!(item, Item::Mod(_))) {
                reader.visit_item(item);
            }
        }
        uses
    }

    /// Where a path leads that stands in the module `at`.
    fn resolve(&self, at: &[String], path: &[String], chain: usize) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        if chain > LONGEST_CHAIN {
            return None;
        }
        let mut module = match first.as_str() {
            "crate" => at[..1].to_vec(),
            "self" => at.to_vec(),
            "super" => at[..at.len() - 1].to_vec(),
            name => match self.named(at, name, rest.is_empty(), chain) {
                Some(Target::Module(module)) => module,
                Some(Target::Foreign(path)) => {
                    return Some(Target::Foreign([&path, rest].concat()));
                }
                Some(item) => return Some(item),
                None if self.modules.contains_key(&path[..1]) => path[..1].to_vec(),
                None => return Some(Target::Foreign(path.to_vec())),
            },
        };
        while let Some((name, after)) = rest.split_first() {
            rest = after;
            if name == "super" {
                module.pop();
                continue;
            }
            match self.named(&module, name, rest.is_empty(), chain) {
                Some(Target::Module(inner)) => module = inner,
                Some(Target::Foreign(path)) => {
                    return Some(Target::Foreign([&path, rest].concat()));
                }
                Some(item) => return Some(item),
                // A macro makes it there.
                None => return Some(Target::Item(module)),
            }
        }
        Some(Target::Module(module))
    }

    /// The target of a name in a module; at the end of a path rather an item than a module.
    fn named(&self, at: &[String], name: &str, is_last: bool, chain: usize) -> Option<Target> {
        let module = self.modules.get(at)?;
        let meanings = module.names.get(name).map_or(&[][..], Vec::as_slice);
        let own_module = || {
            let is_module = meanings.iter().any(|it| matches!(it, Meaning::Module));
            is_module.then(|| Target::Module([at, &[name.to_owned()]].concat()))
        };
        if !is_last && let Some(target) = own_module() {
            return Some(target);
        }
        if meanings.iter().any(|it| matches!(it, Meaning::Item)) {
            return Some(Target::Item(at.to_vec()));
        }
        let imported = meanings.iter().find_map(|meaning| match meaning {
            Meaning::Import(path) => self.resolve(at, path, chain + 1),
            Meaning::Item | Meaning::Module => None,
        });
        imported.or_else(own_module).or_else(|| {
            module.globs.iter().find_map(|glob| match self.resolve(at, glob, chain + 1)? {
                Target::Module(other) if other != at => {
                    self.named(&other, name, is_last, chain + 1)
                }
                _ => None,
            })
        })
    }
}

struct Reader<'a> {
    sources: &'a Sources,
    path: &'a Words,
    file: &'a str,
    uses: &'a mut Uses,
}

impl Reader<'_> {
    /// Takes a path that is used; `handed_on` if it is a re-export, `all` if it ends in `*`.
    fn meet(&mut self, path: &[String], handed_on: bool, all: bool) {
        let target = match self.sources.resolve(self.path, path, 0) {
            Some(Target::Foreign(path)) => {
                self.uses.foreign.insert((self.file.to_owned(), path.join("::")));
                return;
            }
            Some(Target::Item(module)) => module,
            // Of a module only its names are used.
            Some(Target::Module(module)) if all => module,
            Some(Target::Module(_)) | None => return,
        };
        let file = &self.sources.modules[&target].file;
        if file != self.file && !(handed_on && target.starts_with(self.path)) {
            self.uses.arrows.insert((self.file.to_owned(), file.clone()));
        }
    }

    /// Takes the paths among the tokens of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Words = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.end(&mut path);
                    }
                    path.push(word.to_string());
                    colons = 0;
                    continue;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    continue;
                }
                TokenTree::Punct(mark) if mark.as_char() == '!' && path.len() == 1 => {
                    self.macro_name(&path[0]);
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            self.end(&mut path);
            colons = 0;
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Words) {
        if path.len() > 1 {
            self.meet(path, false, false);
        }
        path.clear();
    }

    fn macro_name(&mut self, name: &str) {
        if self.sources.named(self.path, name, true, 0).is_none() {
            self.uses.foreign.insert((self.file.to_owned(), format!("{name}!")));
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let handed_on = !matches!(item.vis, Visibility::Inherited);
        for leaf in leaves_of(&item.tree, Vec::new()) {
            self.meet(&leaf.path, handed_on, leaf.name.is_none());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let words: Words = path.segments.iter().map(|it| it.ident.to_string()).collect();
            self.meet(&words, false, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        match item.path.get_ident() {
            Some(name) => self.macro_name(&name.to_string()),
            None => self.visit_path(&item.path),
        }
        self.tokens(item.tokens.clone());
    }
}

/// A name that a `use` brings in, with the path to it; no name if it brings in all of a module.
struct Leaf {
    name: Option<String>,
    path: Words,
}

fn leaves_of(tree: &UseTree, before: Words) -> Vec<Leaf> {
    let with = |word: String| [before.clone(), vec![word]].concat();
    match tree {
        UseTree::Path(path) => leaves_of(&path.tree, with(path.ident.to_string())),
        UseTree::Group(group) => {
            group.items.iter().flat_map(|tree| leaves_of(tree, before.clone())).collect()
        }
        UseTree::Glob(_) => vec![Leaf { name: None, path: before }],
        UseTree::Name(name) if name.ident == "self" => {
            vec![Leaf { name: before.last().cloned(), path: before }]
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            vec![Leaf { path: with(name.clone()), name: Some(name) }]
        }
        UseTree::Rename(rename) => {
            let path = if rename.ident == "self" { before } else { with(rename.ident.to_string()) };
            vec![Leaf { name: Some(rename.rename.to_string()), path }]
        }
    }
}

/// The name that an item gives to its module; none for those that give none.
fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(name.to_string())
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// True for `#[cfg(test)]`, alone or with further conditions.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|it| it.path().is_ident("cfg")).any(|attribute| {
        attribute.meta.require_list().is_ok_and(|list| {
            let condition = list.tokens.to_string().replace(' ', "");
            condition == "test" || condition.starts_with("all(test,")
        })
    })
}
