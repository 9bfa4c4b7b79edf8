import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { ensurePulumi, ensureTool } from "@pulumi-static-export/toolchain";
import { buildPlugin } from "../../../dev/release/artifacts/build-release.js";
import { nextVersion } from "../../../dev/release/names/build-version.js";
import { withOwner } from "../../../dev/release/names/owner-names.js";
import { packPackages } from "../../../dev/release/artifacts/pack.js";
import { publishNpm } from "../../../dev/release/publish/publish.js";
import { type Registry, startFileServer, startNpmRegistry } from "../../../dev/release/rehearsal/registries.js";
import { codeBlocks, links, ownProjectPage } from "../../docs/support/documents.js";
import { followBlock, isCommands } from "../../docs/support/follow-blocks.js";
import { ownProjectBlocks, type OwnLanguage, splitBefore } from "../../docs/support/own-project.js";
import { Reader } from "../../docs/support/reader.js";

const owner = "rehearsal-owner";

/** The minutes from the README to each goal. */
const limits = { "a preview": 5, "a site": 15, "a pull-request check": 30 } as const;
type Goal = keyof typeof limits;

/** The command that reaches each goal. */
const goals: { command: RegExp; goal: Goal }[] = [
    { command: /^pulumi preview$/m, goal: "a preview" },
    { command: /site\/index\.html$/m, goal: "a site" },
    { command: /static-export preview --stack dev --redacted/, goal: "a pull-request check" },
];

describe("The README and a release in registries", function () {
    this.timeout(60 * 60_000);
    let work: string;
    let servers: Registry[] = [];
    let settings: NodeJS.ProcessEnv;

    before(async () => {
        work = await mkdtemp(join(tmpdir(), "static-export-first-hour-"));
        const release = { version: nextVersion(), owner, folder: work, platforms: ["linux-amd64"] };
        packPackages([{ version: release.version, destination: join(work, "npm") }], owner);
        const [npm, downloads] = [
            await startNpmRegistry(join(work, "registry")),
            await startFileServer(await buildPlugin(release)),
        ];
        servers = [npm, downloads];
        const npmrc = join(work, "npmrc");
        const token = `${npm.url.replace("http:", "")}/:_authToken=anybody`;
        await writeFile(npmrc, `@${owner}:registry=${npm.url}/\n${token}\n`);
        await publishNpm(work, [], { env: { npm_config_userconfig: npmrc } });
        const { env } = await ensurePulumi();
        settings = {
            npm_config_userconfig: npmrc,
            PATH: [dirname(process.execPath), dirname(await ensureTool("pulumi-language-yaml")), env["PATH"]].join(
                delimiter,
            ),
            // The cache only saves time, because the registry contains the same packages.
            npm_config_cache: join(homedir(), ".npm"),
            PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^github://api\\.github\\.com/${owner}/=${downloads.url}`,
        };
    });

    after(async () => {
        await Promise.all(servers.map((server) => server.stop()));
        await rm(work, { recursive: true, force: true, maxRetries: 5 });
    });

    it("start a writer's project with npm create, in an empty home directory", async () => {
        const reader = await Reader.openEmpty("my-docs", settings);
        try {
            const create = withOwner("npm create --yes @example--owner/static-export", owner);
            const { exitCode, output } = await reader.follow(`${create} -- --kind writer --no-start
npm run build
test -f site/index.html`);
            assert.equal(exitCode, 0, output);
        } finally {
            await reader.leave();
        }
    });

    for (const language of ["typescript", "yaml"] satisfies OwnLanguage[]) {
        it(`lead to a preview in five minutes, a site in 15 and a pull-request check in 30, in ${language}`, async () => {
            const reader = await Reader.openEmpty("my-project", settings);
            const startedMs = performance.now();
            const minutes = new Map<Goal, number>();
            let installation = "";
            const follow = async (blocks: ReturnType<typeof codeBlocks>) => {
                for (const [index, block] of blocks.entries()) {
                    if (!isCommands(block)) {
                        continue;
                    }
                    const typed = typedIn(block.text, installation);
                    const output = await followBlock(reader, block, blocks[index + 1], typed);
                    installation ||= /^ {2}((?:npm|pulumi plugin) install .*)$/m.exec(output)?.[1] ?? "";
                    const reached = goals.find(({ command }) => command.test(block.text))?.goal;
                    if (reached !== undefined) {
                        minutes.set(reached, (performance.now() - startedMs) / 60_000);
                    }
                }
            };
            try {
                assert.equal(linkOfReadme("Your own project"), ownProjectPage);
                const check = linkOfReadme("Check pull requests");
                const [steps, end] = splitBefore("pulumi destroy", ownProjectBlocks("release", language));
                await follow(steps);
                await follow(codeBlocks(check));
                const pullRequest = codeBlocks(check).filter(isCommands).at(-1)!;
                const change = `pulumi config set version v3\n${pullRequest.text}`;
                assert.match(await followBlock(reader, pullRequest, undefined, change), /1 export runs/);
                await follow(end);
            } finally {
                await reader.leave();
            }
            const times = [...minutes].map(([goal, taken]) => `${goal} after ${(taken * 60).toFixed(0)} s`);
            console.log(`      ${language}: ${times.join(", ")}`);
            for (const [goal, limit] of Object.entries(limits) as [Goal, number][]) {
                const taken = minutes.get(goal);
                assert.ok(taken !== undefined && taken < limit, `${goal} took ${taken} minutes`);
            }
        });
    }
});

/** @returns the target of the README's link with this text */
function linkOfReadme(text: string): string {
    const link = links("README.md").find((each) => each.text === text);
    assert.ok(link, `the README has no link ${text}`);
    return link.url;
}

/** Returns the text as a release's page contains it, with the commands that `init` printed. */
function typedIn(text: string, installation: string): string {
    return (
        withOwner(text, owner)
            .replace(/^npm install \.\/pulumi-static-export-\[0-9\].*|^pulumi plugin install .*/m, installation)
            // A Pulumi CLI that was built with cgo finds ~ in /etc/passwd.
            .replace(/^pulumi login --local$/m, 'pulumi login "file://$HOME"')
    );
}
