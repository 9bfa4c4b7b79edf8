/** The languages that are highlighted, by the library's names, with their aliases on pages. */
const names: Readonly<Record<string, readonly string[]>> = {
    apache: ["apacheconf"],
    bash: ["sh", "zsh", "curl", "fish", "shellscript"],
    c: ["h"],
    clojure: ["clj", "edn"],
    cmake: ["cmake.in"],
    cpp: ["cc", "c++", "h++", "hpp", "hh", "hxx", "cxx"],
    crystal: ["cr"],
    csharp: ["cs", "c#"],
    css: [],
    dart: [],
    diff: ["patch"],
    django: ["jinja", "jinja2"],
    dockerfile: ["docker"],
    dos: ["bat", "batch", "cmd"],
    elixir: ["ex", "exs"],
    elm: [],
    erlang: ["erl"],
    fsharp: ["fs", "f#"],
    go: ["golang"],
    gradle: [],
    graphql: ["gql"],
    groovy: [],
    handlebars: ["hbs", "html.hbs", "html.handlebars", "htmlbars"],
    haskell: ["hs"],
    http: ["https"],
    ini: ["toml"],
    java: ["jsp"],
    javascript: ["js", "jsx", "mjs", "cjs"],
    json: ["jsonc", "json5", "ndjson"],
    julia: ["jl"],
    kotlin: ["kt", "kts", "ktm", "ktx"],
    latex: ["tex"],
    less: [],
    lua: ["pluto"],
    makefile: ["mk", "mak", "make"],
    markdown: ["md", "mkdown", "mkd", "mdx"],
    matlab: [],
    nginx: ["nginxconf"],
    nim: [],
    nix: ["nixos"],
    objectivec: ["mm", "objc", "obj-c", "obj-c++", "objective-c++", "objective-c"],
    ocaml: ["ml"],
    perl: ["pl", "pm"],
    pgsql: ["postgres", "postgresql"],
    php: [],
    "php-template": [],
    powershell: ["pwsh", "ps", "ps1"],
    properties: ["dotenv", "env", ".env"],
    protobuf: ["proto"],
    python: ["py", "gyp", "ipython"],
    "python-repl": ["pycon"],
    r: [],
    ruby: ["rb", "gemspec", "podspec", "thor", "irb"],
    rust: ["rs"],
    scala: [],
    scss: [],
    shell: ["console", "shellsession", "sh-session", "terminal"],
    sql: [],
    swift: [],
    twig: ["craftcms"],
    typescript: ["ts", "tsx", "mts", "cts"],
    vbnet: ["vb"],
    wasm: [],
    xml: ["html", "xhtml", "rss", "atom", "xjb", "xsd", "xsl", "plist", "wsf", "svg", "svelte", "vue"],
    yaml: ["yml"],
};

/** The languages that the library may guess for the body of an HTTP message. */
export const languagesOfBodies = ["json", "xml"] as const;

/** Embedded languages, which the library highlights if they are registered. */
const within: Readonly<Record<string, readonly string[]>> = {
    dart: ["markdown"],
    django: ["xml"],
    dockerfile: ["bash"],
    handlebars: ["xml"],
    http: languagesOfBodies,
    javascript: ["xml", "css", "graphql"],
    markdown: ["xml"],
    nix: ["markdown"],
    pgsql: ["perl", "python", "r", "lua", "java", "php", "ruby", "bash", "xml", "json"],
    "php-template": ["xml", "php"],
    "python-repl": ["python"],
    shell: ["bash"],
    twig: ["xml"],
    typescript: ["xml", "css", "graphql"],
    xml: ["css", "javascript"],
    yaml: ["ruby"],
};

export const codeLanguages: readonly string[] = Object.keys(names);

const languageOfName = new Map(
    Object.entries(names).flatMap(([language, others]) =>
        [language, ...others].map((name) => [name, language] as const),
    ),
);

/** The library's name of a language, ignoring case. */
export function languageNamed(name: string): string | undefined {
    return languageOfName.get(name.toLowerCase());
}

/** A language and all languages that it may contain, at any depth. */
export function withInnerLanguages(language: string): ReadonlySet<string> {
    const found = new Set([language]);
    for (const each of found) {
        within[each]?.forEach((inner) => found.add(inner));
    }
    return found;
}
