interface Preset {
    readonly builder: string;
    /** Matches the name of the builder's settings in the site's folder. */
    readonly settings: RegExp;
    readonly command: string;
    /** The folder that the command writes. */
    readonly output: string;
}

/** The usual command of each builder, which the guide "Your builder" lists, too. */
export const presets: readonly Preset[] = [
    {
        builder: "Docusaurus",
        settings: /^docusaurus\.config\.[cm]?[jt]s$/,
        command: "npx docusaurus build",
        output: "build",
    },
    {
        builder: "Astro or Starlight",
        settings: /^astro\.config\.[cm]?[jt]s$/,
        command: "npx astro build",
        output: "dist",
    },
    {
        builder: "VitePress",
        settings: /^\.vitepress\/config\.[cm]?[jt]s$/,
        command: "npx vitepress build",
        output: ".vitepress/dist",
    },
    { builder: "MkDocs", settings: /^mkdocs\.ya?ml$/, command: "mkdocs build", output: "site" },
    { builder: "Sphinx", settings: /^conf\.py$/, command: "sphinx-build . _build/html", output: "_build/html" },
    { builder: "Hugo", settings: /^hugo\.(?:toml|ya?ml|json)$/, command: "hugo", output: "public" },
    { builder: "mdBook", settings: /^book\.toml$/, command: "mdbook build", output: "book" },
    { builder: "Eleventy", settings: /^eleventy\.config\.[cm]?[jt]s$/, command: "npx @11ty/eleventy", output: "_site" },
    { builder: "Next.js or Nextra", settings: /^next\.config\.[cm]?[jt]s$/, command: "npx next build", output: "out" },
    { builder: "Zola", settings: /^(?:zola|config)\.toml$/, command: "zola build", output: "public" },
    { builder: "Jekyll", settings: /^_config\.ya?ml$/, command: "bundle exec jekyll build", output: "_site" },
];

/** Explains how to export a site with the builder whose settings are among its files. */
export function proposeBuilder(
    files: readonly string[],
): { readonly file: string; readonly reason: string } | undefined {
    for (const { builder, settings, command, output } of presets) {
        const file = files.find((name) => settings.test(name));
        if (file !== undefined) {
            const options = `--command "${command}" --output-folder ${output}`;
            const reason =
                `these are settings of ${builder}, which renders the site with all of its features: ` +
                `static-export build FOLDER ${options}`;
            return { file, reason };
        }
    }
    return undefined;
}
