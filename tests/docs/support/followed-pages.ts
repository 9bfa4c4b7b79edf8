import { documents, ownProjectPage, type CodeBlock } from "./documents.js";

/**
 * Commands that another spec runs; `proof` matches the command in the spec. The first pattern that matches a command
 * applies.
 */
export const ranElsewhere: { command: RegExp; by: string; proof: RegExp }[] = [
    { command: /^npm run quickstart\b/, by: "tests/e2e/quickstart.long.engine.spec.ts", proof: /npm run quickstart/ },
    {
        command: /^git clone|^cd pulumi-static-export$/,
        by: "tests/e2e/quickstart.long.engine.spec.ts",
        proof: /fresh copy of the checkout/,
    },
    { command: /^npm (test|run test:all)$/, by: ".ci/run", proof: /^ +npm test\b[^]*^ +npm run test:all\b/m },
    {
        command: /^npm run bench site\b/,
        by: "tests/dev/bench/site.long.process.spec.ts",
        proof: /npm run bench site/,
    },
    {
        command: /^npm run bench figures\b/,
        by: "tests/dev/bench/figures.long.process.spec.ts",
        proof: /npm run bench figures/,
    },
    {
        command: /^npm run bench search\b/,
        by: "tests/dev/bench/search.long.alone.spec.ts",
        proof: /npm run bench search/,
    },
    // Developers run these benchmarks by hand: they clone repositories, or their results depend on timings.
    { command: /^npm run bench retrieval\b/, by: "dev/bench/README.md", proof: /npm run bench retrieval/ },
    { command: /^npm run bench sites\b/, by: "dev/bench/README.md", proof: /npm run bench sites/ },
    {
        command: /^pulumi (package add static-export@|install$)/,
        by: "tests/e2e/packages/own-project.long.packages.spec.ts",
        proof: /"typescript", "yaml", "python"/,
    },
    // The proof is the function that the spec calls; another spec below starts the script itself.
    {
        command: /^npm run plugin\b/,
        by: "tests/e2e/plugin/distribution.long.engine.spec.ts",
        proof: /"npm", \["run", "plugin"/,
    },
    {
        command: /^pulumi plugin install resource static-export\b/,
        by: "tests/e2e/plugin/archives.long.engine.spec.ts",
        proof: /"plugin", "install", "resource", "static-export", version, "--file"/,
    },
    { command: /^npm run cluster\b/, by: "tests/e2e/kubernetes/cluster.long.cluster.spec.ts", proof: /clusterUp\(/ },
    {
        command: /^cd \.\.\/my-docs$|^npx --yes \.\/pulumi-static-export-cli-\S+ create\b/,
        by: "tests/e2e/packages/roads.long.packages.spec.ts",
        proof: /docs\/guides\/writing-pages\.md[^]*ownProjectPage/,
    },
    {
        command: /^npm run (build|pack)\b/,
        by: "tests/e2e/packages/support/packed-packages.ts",
        proof: /"npm", \["run", "pack", "--", "--pack-destination"/,
    },
    {
        command: /^(npm install|pnpm add --allow-build=\S+ \\\n|yarn add) +\.\/pulumi-static-export-\[0-9\]\*\.tgz\b/,
        by: "tests/e2e/packages/readme.long.packages.spec.ts",
        proof: /line\.startsWith\(`\$\{name\} `\)/,
    },
    {
        command: /^pulumi deployment /,
        by: "tests/docs/pulumi-deployments.engine.spec.ts",
        proof: /line\.startsWith\("pulumi deployment "\)/,
    },
    {
        command:
            /^npx --no -- static-export (migrate$|(serve|work) .*(--data-dir \/mnt\/static-export\b|--bucket s3:))/,
        by: "tests/e2e/service/support/cluster.ts",
        proof: /\["work", \.\.\.shared\]/,
    },
    {
        command: /^npx --no -- static-export work .*--agent-command /,
        by: "tests/e2e/agent/agent-workers.long.tools.spec.ts",
        proof: /"work", "--data-dir"[^]*"--agent-command"/,
    },
    {
        command: /^npx --no -- static-export migrate --from /,
        by: "tests/service/database/shared-database.long.tools.spec.ts",
        proof: /migrateDatabase\(database, join\(folder, "data"\)\)/,
    },
    {
        command: /^npx --no -- static-export key (create|list|change|rotate|revoke|rotate-link-secret)\b/,
        by: "tests/cli/key.long.process.spec.ts",
        proof: /key\("revoke", "docs-team"\)[^]*key\("rotate-link-secret"/,
    },
    {
        command: /^npx --no -- static-export site (list|usage|statistics|remove)\b/,
        by: "tests/cli/site.long.process.spec.ts",
        proof: /site\("remove", other, "--purge"\)/,
    },
    {
        command: /^npx --no -- static-export export .*--base-url http:\/\/127\.0\.0\.1:8788 /,
        by: "tests/cli/site.long.process.spec.ts",
        proof: /"--base-url", second\.service\.url/,
    },
    {
        command: /^(pg_dump|pg_restore) |^npx --no -- static-export migrate$/,
        by: "tests/service/database/restored-database.long.tools.spec.ts",
        proof: /follow\("Restore", restored, folder\)/,
    },
    {
        command: /^(PREVIEW_DOMAIN=\S+ \.\/deploy-preview\.sh|node remove-previews\.mjs) /,
        by: "tests/e2e/kubernetes/examples.long.cluster.spec.ts",
        proof: /"deploy-preview\.sh"[^]*"remove-previews\.mjs"/,
    },
    {
        command: /^\.\/deploy-branch\.sh /,
        by: "tests/docs/preview-branch.long.process.spec.ts",
        proof: /"deploy-branch\.sh"/,
    },
    { command: /^pulumi do /, by: "tests/e2e/plugin/pulumi-do.engine.spec.ts", proof: /startsWith\("pulumi do "\)/ },
    {
        command: /^npx --no -- static-export pdf /,
        by: "tests/cli/pdf/pdf.long.browser.spec.ts",
        proof: /\["pdf", outDir, "--output"/,
    },
    {
        command: /^kubectl /,
        by: "tests/e2e/kubernetes/release.long.cluster.spec.ts",
        proof: /a Helm release of the chart/,
    },
];

/**
 * Beginnings of the commands that readers of the pages run in the specs of tests/docs/. Any other command belongs in
 * `ranElsewhere`, or needs a substitution.
 */
export const runHere = new RegExp(
    "^(?:(?:bash|cat|cd|cp|curl|diff|echo|eval|export|git|grep|head|if|ls|mkdir|node|printf|sed|tar)\\b|npm install " +
        "|pulumi (?:config|destroy|login|preview|stack|up)\\b|helm (?:template |(?:rollback|uninstall) --help)" +
        "|(?:env -u \\w+ )?npx --no -- static-export (?:--version|agent-job|answer|build|clean|compare|create --help|dev" +
        "|doctor|export|fetch|history|init|job|preview|preview-report|publish|redact-state|releases|serve|unpublish)\\b)",
);

/** Replacements for commands that need a reader at the terminal, a cluster or too much time. */
export const substitutions: { written: RegExp; typed: string; where?: RegExp; why: string }[] = [
    {
        written: /^(pulumi config set --secret \S+)$/gm,
        typed: "$1 <<< example_5ecret",
        why: "the command asks for the secret, and nobody sits at the terminal",
    },
    {
        written: /oci:\/\/ghcr\.io\/example--owner\/charts\//g,
        typed: "charts/",
        why: "no chart is released; the rehearsal of a release pulls the charts from a registry",
    },
    {
        written:
            /^helm upgrade --install docs (\S+)(?: |\s+\\\n\s*)--rollback-on-failure --cleanup-on-fail --timeout 10m/gm,
        typed: "printf 'https://bundles.example.com/docs.tar.gz?signature=example' > link.txt\nhelm template docs $1",
        why: "there is no cluster: the chart is rendered with these values, and installed by tests/e2e/kubernetes",
    },
    {
        written: /^helm upgrade --install exports (\S+) --wait --timeout 10m/gm,
        typed: "helm template exports $1",
        why: "there is no cluster: the chart is rendered with these values, and installed by tests/e2e/kubernetes",
    },
    {
        written: /^helm (rollback|uninstall) exports$/gm,
        typed: "helm $1 --help > help.txt",
        why: "there is no release in a cluster",
    },
    {
        written: /^pulumi up\b/gm,
        typed: "pulumi preview",
        where: /^examples\//,
        why: "there is no cluster: tests/e2e/kubernetes rolls out",
    },
];

/**
 * Pages whose commands run in the folder of docs/own-project.md, with an empty home directory and without the checkout.
 * Readers of other pages have a clone.
 */
export const inOwnProject = /^((cli|provider)\/README\.md$|docs\/)/;

/** The programs of these examples need the clouds' plugins; tests/docs/clouds/ runs the programs without plugins. */
const ofClouds = /^examples\/(aws|azure|cloudflare|google)\//;

/**
 * The pages whose commands tests/docs/commands.engine.spec.ts follows in the long form.
 * tests/e2e/packages/own-project.long.packages.spec.ts follows `ownProjectPage`.
 */
export const followedPages = documents.filter((each) => each !== ownProjectPage && !ofClouds.test(each));

/** Returns the commands of a block as this reader types them, except commands that another spec runs. */
export function typedOf({ text, place }: CodeBlock): string {
    const commands = text
        .split(/(?<!\\)\n/)
        .filter((line) => !ranElsewhere.some(({ command }) => command.test(line)))
        .join("\n");
    return substitutions
        .filter(({ where }) => where?.test(place) ?? true)
        .reduce((all, { written, typed }) => all.replace(written, typed), commands);
}
