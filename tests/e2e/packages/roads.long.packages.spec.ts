import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { codeBlocks, ownProjectPage, type CodeBlock } from "../../docs/support/documents.js";
import { isCommands } from "../../docs/support/follow-blocks.js";
import { WrittenPackages } from "../../docs/support/own-project.js";
import { type Reader } from "../../docs/support/reader.js";

/** Seconds after the installation, whose time depends on the registry. */
const limits = { "first page": 60, "first pulumi up": 5 * 60 };

/** The services of readers in specs have other ports. */
const ownAddress = "pulumi config set static-export:baseUrl http://127.0.0.1:8787\npulumi preview";
const passphrase = "export PULUMI_CONFIG_PASSPHRASE=correct-horse";

describe("The roads from an empty home directory with the packed packages", function () {
    this.timeout(30 * 60_000);
    let packages: WrittenPackages;

    before(async () => {
        packages = await WrittenPackages.write();
    });

    after(() => packages.remove());

    it("lead a writer to pages in a browser and a site that is built again and again, without Pulumi", async () => {
        const reader = await packages.openReader({}, "my-docs");
        try {
            const blocks = codeBlocks("docs/guides/writing-pages.md").filter(isCommands);
            const [create, dev] = [blocks[0]!, blocks[1]!];
            assert.match(create.text, /create --kind writer$/);
            const installed = await seconds(() => packages.follow(reader, [create]));
            await type(reader, "cd ../my-docs");
            assert.match(await type(reader, "curl -sf http://127.0.0.1:8787/"), /Welcome/);
            const page = await seconds(async () => {
                await type(reader, dev.text);
                await type(reader, "curl -sf http://127.0.0.1:8787/");
            });
            await type(reader, "npx --no -- static-export build docs --output site");
            await type(reader, "echo '# Install' > docs/install.md; npm run build; test -f site/install.html");
            report("writer", { "everything from the packed file": installed, "first page": page });
        } finally {
            await reader.leave();
        }
    });

    it("lead an operator to a service that answers", async () => {
        const reader = await packages.openReader();
        try {
            await packages.follow(reader, [packed()]);
            await type(
                reader,
                "npx --yes ./pulumi-static-export-cli-*.tgz create --kind service --domain docs.example.com",
            );
            await type(
                reader,
                "curl -sf http://127.0.0.1:8787/openapi.json > api.json && test -s .static-export/admin-api-key",
            );
        } finally {
            await reader.leave();
        }
    });

    for (const language of ["typescript", "yaml"]) {
        it(`lead from create to the first pulumi up in ${language}, with the commands that create prints`, async () => {
            const reader = await packages.openReader();
            try {
                await packages.follow(reader, [packed()]);
                const { text = "" } =
                    codeBlocks(ownProjectPage).find((block) => / create site /.test(block.text)) ?? {};
                let commands: string[] = [];
                const installed = await seconds(async () => {
                    const copied = "cp -R static-export-plugin site/ 2>/dev/null || true";
                    const printed = await type(reader, `mkdir -p site; ${copied}; ${text} --language ${language}`);
                    commands = [...printed.matchAll(/^ {2}(\S.*)$/gm)].map(([, command = ""]) => command);
                });
                // The first commands are for another terminal.
                const ofService = commands.findIndex((command) => / static-export serve /.test(command)) + 1;
                const up = await seconds(async () => {
                    await type(reader, commands.slice(0, ofService).join("\n"));
                    const own = commands.slice(ofService).join("\n");
                    const typed = own.replace("login --local", 'login "file://$HOME"');
                    await type(reader, `${passphrase}\n${typed.replace(/^pulumi preview$/m, ownAddress)}`);
                });
                assert.match(await type(reader, "pulumi stack output pageCount"), /^1$/m);
                await type(reader, "pulumi destroy");
                report(language, { installation: installed, "first pulumi up": up });
            } finally {
                await reader.leave();
            }
        });
    }
});

/** Returns the block of the page that packs the packages. */
function packed(): CodeBlock {
    const { text, ...block } = codeBlocks(ownProjectPage).find((each) => each.text.startsWith("npm run pack"))!;
    return {
        ...block,
        text: text
            .split("\n")
            .filter((line) => !line.startsWith("npm install"))
            .join("\n"),
    };
}

async function type(reader: Reader, commands: string): Promise<string> {
    const { exitCode, output } = await reader.follow(commands);
    assert.equal(exitCode, 0, output);
    return output;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
    const startedMs = performance.now();
    await work();
    return (performance.now() - startedMs) / 1000;
}

function report(road: string, times: Readonly<Record<string, number>>): void {
    const texts = Object.entries(times).map(([what, taken]) => `${what} ${taken.toFixed(0)} s`);
    console.log(`      ${road}: ${texts.join(", ")}`);
    for (const [what, limit] of Object.entries(limits)) {
        assert.ok((times[what] ?? 0) < limit, `${what} took ${times[what]} s`);
    }
}
