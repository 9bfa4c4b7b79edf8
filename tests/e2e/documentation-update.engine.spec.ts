import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { GitServer } from "../service/support/git-server.js";
import { waitUntil } from "../wait-until.js";
import { isLong, itInLong, scaled } from "../scale.js";
import { PluginFolder } from "./plugin/support/plugin-folder.js";
import { EngineStack } from "./support/engine-stack.js";
import { InterruptedStack } from "./support/interrupted-stack.js";
import { adminApiKey, domain } from "./support/platform.js";

const example = new URL("../../examples/documentation-update/", import.meta.url);

/** How many times each variant runs through all events. */
const rounds = scaled({ short: 1, long: 3 });

/** A repository, the real service for it, and two stacks that publish it. */
class Ground {
    #commits = 0;
    /** The content of the last push. */
    words = "";
    /** The last push. */
    commit = "";

    private constructor(
        /** The numbers of the service's runs, by kind. */
        readonly runs: ReadonlyMap<string, ReadonlySet<string>>,
        readonly server: GitServer,
        readonly first: InterruptedStack,
        readonly second: EngineStack,
    ) {}

    static async create(program: URL, pathFolders: readonly string[]): Promise<Ground> {
        const server = await GitServer.start();
        const sites = { [domain]: `git+${server.url}#main` };
        const runs = new Map([
            ["Documentation update", new Set<string>()],
            ["Export job", new Set<string>()],
        ]);
        const note = (message: string) => {
            const [, title = "", id = ""] = /^(.+) (\w+) of \S+ started\.$/.exec(message) ?? [];
            runs.get(title)?.add(id);
        };
        const logger = { info: note, error: note };
        const first = await InterruptedStack.create(undefined, { program, pathFolders, sites, logger });
        const second = await EngineStack.create({
            program,
            pathFolders,
            config: { "static-export:baseUrl": first.platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        return new Ground(runs, server, first, second);
    }

    /** Commits a page with new words, as a push does. */
    async push(): Promise<void> {
        this.#commits += 1;
        this.words = `Words of push ${this.#commits}.`;
        this.commit = await this.server.commit({ "index.md": `---\ntitle: Welcome\n---\n\n${this.words}\n` });
    }

    /** Makes a stack publish the last push in its next run. */
    deploy(stack: EngineStack): Promise<void> {
        return stack.configure({
            config: {
                "static-export:baseUrl": this.first.platform.service.url,
                commit: this.commit,
                domain,
                project: domain,
            },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
    }

    /** @param words - the words of the pushes; the site must contain one of them */
    async assertExported(stack: EngineStack, words: readonly string[] = [this.words]): Promise<void> {
        const response = await fetch(String(await stack.output("bundleUrl")));
        const site = gunzipSync(Buffer.from(await response.arrayBuffer())).toString("latin1");
        assert.ok(
            words.some((each) => site.includes(each)),
            `the exported site lacks "${words.join('" and "')}"`,
        );
    }

    async remove(): Promise<void> {
        await this.second.remove();
        await this.first.dispose();
        await this.server.stop();
    }
}

function describeUpdates(name: string, program: URL, usePlugin: boolean): void {
    describe(`A DocumentationUpdate on the real engine, ${name}, exports the pushed commit`, () => {
        let plugin: PluginFolder | undefined;
        let ground: Ground;
        before(async () => {
            plugin = usePlugin ? await PluginFolder.create() : undefined;
            ground = await Ground.create(program, plugin?.pathFolders ?? []);
        });
        after(async () => {
            await ground.remove();
            await plugin?.remove();
        });

        let counted = { update: 0, start: 0 };
        // A retried request that found its job by the key does not count.
        const counts = () => ({
            update: ground.runs.get("Documentation update")!.size,
            start: ground.runs.get("Export job")!.size,
        });
        const started = () => ({
            updates: counts().update - counted.update,
            exports: counts().start - counted.start,
        });
        beforeEach(async () => {
            ground.first.platform.service.setFaults([]);
            await ground.push();
            await ground.deploy(ground.first.stack);
            counted = counts();
        });

        for (let round = 1; round <= rounds; round += 1) {
            it(`after a push, and does nothing in a run without a push (${round})`, async () => {
                await ground.first.stack.up();
                await ground.assertExported(ground.first.stack);
                assert.deepEqual(started(), { updates: 1, exports: 1 });
                await ground.first.stack.succeed("up", "--yes", "--skip-preview", "--expect-no-changes");
                assert.deepEqual(started(), { updates: 1, exports: 1 });
            });

            itInLong(`after a run that was killed during the update, without a second update (${round})`, async () => {
                ground.first.platform.service.setFaults(["publish:delay=3s"]);
                const polls = ground.first.count("update-get");
                const run = ground.first.startUp();
                await waitUntil("the update is polled", () => ground.first.count("update-get") > polls);
                await ground.first.interrupt(run, "SIGKILL of the engine and the provider");
                const { exitCode, output } = await ground.first.upAgain();
                assert.equal(exitCode, 0, output);
                await ground.assertExported(ground.first.stack);
                assert.deepEqual(started(), { updates: 1, exports: 1 });
            });

            itInLong(`even if another pipeline pushes and publishes at the same time (${round})`, async () => {
                ground.first.platform.service.setFaults(["publish:delay=1s"]);
                const earlier = { words: ground.words, commit: ground.commit };
                const run = ground.first.stack.start("up", "--yes", "--skip-preview");
                await waitUntil("the first has started its update", () => started().updates > 0);
                await ground.push();
                await ground.deploy(ground.second);
                const [first] = await Promise.all([run.result, ground.second.up()]);
                await ground.assertExported(ground.second);
                if (first.exitCode === 0) {
                    await ground.assertExported(ground.first.stack, [earlier.words, ground.words]);
                } else {
                    assert.match(first.output, new RegExp(`published commit ${ground.commit}.*is ${earlier.commit}`));
                }
                assert.deepEqual(started().updates, 2);
            });
        }
    });
}

describeUpdates("as a dynamic resource", example, false);
if (isLong) {
    describeUpdates("in YAML with the plugin", new URL("yaml/", example), true);
}
