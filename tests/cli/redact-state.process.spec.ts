import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { itInLong } from "../scale.js";
import {
    encrypted,
    passphraseProvider,
    resource,
    reveal,
    secret,
    stackCrypter,
    stateOf,
} from "./redaction/support/stack-states.js";
import { run, withFolder } from "./support/command.js";
import { PassphraseCrypter } from "../../cli/src/redaction/pulumi/passphrase-crypter.js";

const link = "https://bundles.example.com/se_1.tar.gz?expires=1795179600&signature=5ignature";
const state = stateOf(
    [resource("bundle", "docs", { inputs: {}, outputs: { bundleUrl: encrypted(link) } })],
    passphraseProvider,
);
const configuration = `encryptionsalt: ${stackCrypter.salt}
config:
  docs:version: "1"
  static-export:adminApiKey:
    secure: ${stackCrypter.encrypt("admin_0123456789abcdef")}
`;
const passphrase = { PULUMI_CONFIG_PASSPHRASE: "of the stack" };

describe("static-export redact-state", function () {
    // Each run derives a key, which takes a second while other specs run.
    this.timeout(120_000);

    const inFolder = (use: (folder: string) => Promise<void>) =>
        withFolder(async (folder) => {
            await writeFile(join(folder, "state.json"), JSON.stringify(state));
            await writeFile(join(folder, "Pulumi.dev.yaml"), configuration);
            await use(folder);
        });
    const bundleUrlIn = async (folder: string) => {
        const text = await readFile(join(folder, "redacted", "state.json"), "utf8");
        const { deployment } = JSON.parse(text) as { deployment: { secrets_providers: { state: { salt: string } } } };
        const crypter = PassphraseCrypter.open("redacted", deployment.secrets_providers.state.salt);
        const revealed = reveal(
            deployment,
            (ciphertext) => crypter?.decrypt(ciphertext) ?? "",
        ) as typeof state.deployment;
        return (revealed["resources"] as { outputs: { bundleUrl: string } }[])[0]?.outputs.bundleUrl;
    };

    it("writes a state and a configuration that are encrypted with a public passphrase", async () => {
        await inFolder(async (folder) => {
            const args = ["redact-state", "state.json", "--config", "Pulumi.dev.yaml", "--out", "redacted"];
            const { exitCode, stdout, stderr } = await run(folder, args, passphrase);
            assert.deepEqual([exitCode, stderr], [0, ""]);
            assert.match(
                stdout,
                /Wrote the redacted stack to redacted\. Its passphrase is "redacted"\.\nNot covered: unmarked secrets/,
            );
            assert.deepEqual((await readdir(join(folder, "redacted"))).sort(), [
                "Pulumi.dev.yaml",
                "config-placeholders.json",
                "state.json",
            ]);
            assert.match((await bundleUrlIn(folder)) ?? "", /^https:\/\/redacted-\d+\.invalid\/\?expires=1795179600/);
        });
    });

    itInLong(
        "finds the configuration of a stack, also in stackConfigDir and with an organization in the stack's name",
        async () => {
            await inFolder(async (folder) => {
                await writeFile(join(folder, "Pulumi.yaml"), "name: docs\nstackConfigDir: stacks\n");
                await mkdir(join(folder, "stacks"));
                await writeFile(join(folder, "stacks", "Pulumi.dev.yaml"), configuration);
                const args = ["redact-state", "state.json", "--stack", "acme/dev", "--out", "redacted"];
                const { exitCode, stderr } = await run(folder, args, passphrase);
                assert.deepEqual([exitCode, stderr], [0, ""]);
                assert.ok((await readdir(join(folder, "redacted"))).includes("Pulumi.dev.yaml"));
                const without = await run(folder, [...args, "--stack", "acme/other"], passphrase);
                assert.match(
                    without.stdout,
                    /The stack has no configuration: there is no file .*Pulumi\.other\.yaml\./,
                );
            });
        },
    );

    itInLong("reads a gzipped checkpoint from a file backend, and the passphrase from a file", async () => {
        await inFolder(async (folder) => {
            const checkpoint = { version: 3, checkpoint: { stack: "dev", latest: state.deployment } };
            await writeFile(join(folder, "dev.json.gz"), gzipSync(JSON.stringify(checkpoint)));
            await writeFile(join(folder, "passphrase"), "of the stack\n");
            const args = ["redact-state", "dev.json.gz", "--out", "redacted"];
            const { exitCode, stderr } = await run(folder, args, { PULUMI_CONFIG_PASSPHRASE_FILE: "passphrase" });
            assert.deepEqual([exitCode, stderr], [0, ""]);
            assert.match((await bundleUrlIn(folder)) ?? "", /expires=1795179600/);
        });
    });

    itInLong("warns about a placeholder that may cause a diff, without revealing the secret", async () => {
        await inFolder(async (folder) => {
            const inputs = { values: { password: secret("p4ssword") } };
            await writeFile(
                join(folder, "state.json"),
                JSON.stringify(stateOf([resource("release", "docs", { inputs })])),
            );
            const { exitCode, stderr } = await run(folder, ["redact-state", "state.json", "--out", "redacted"]);
            assert.equal(exitCode, 0);
            assert.match(stderr, /^warning: Release docs: values\.password is a secret that comes neither from/);
            assert.doesNotMatch(stderr, /p4ssword/);
        });
    });

    itInLong("names a value that equals a short secret, and preserves the value if an option allows it", async () => {
        await inFolder(async (folder) => {
            const inputs = { namespace: "docs", password: secret("docs") };
            const short = stateOf([resource("stack", "docs-dev", { inputs })]);
            await writeFile(join(folder, "state.json"), JSON.stringify(short));
            const args = ["redact-state", "state.json", "--out", "redacted"];
            const refused = await run(folder, args);
            assert.equal(refused.exitCode, 2);
            const [, option = ""] = /--keep-copies-of "(.*?)"/.exec(refused.stderr) ?? [];
            const { exitCode, stdout } = await run(folder, [...args, "--keep-copies-of", option]);
            assert.deepEqual([exitCode, option], [0, "Stack docs-dev: password"]);
            assert.match(stdout, /Wrote the redacted stack/);
        });
    });

    for (const [how, args, exitCode] of [
        ["warns about", [], 0],
        ["with --strict, refuses", ["--strict"], 2],
    ] as const) {
        itInLong(`${how} text that cannot be searched for secrets`, async () => {
            await inFolder(async (folder) => {
                const inputs = { values: { file: Buffer.alloc(100, 200).toString("base64") } };
                await writeFile(
                    join(folder, "state.json"),
                    JSON.stringify(stateOf([resource("release", "docs", { inputs })])),
                );
                const all = ["redact-state", "state.json", "--out", "redacted", ...args];
                const { exitCode: actual, stderr } = await run(folder, all);
                assert.equal(actual, exitCode);
                assert.match(stderr, /Release docs: values\.file \(Base64 of something other than text\)/);
                assert.equal((await readdir(folder)).includes("redacted"), exitCode === 0);
            });
        });
    }

    it("writes nothing and reports the reason if something cannot be redacted", async () => {
        await inFolder(async (folder) => {
            const inputs = { __provider: secret("code") };
            await writeFile(
                join(folder, "state.json"),
                JSON.stringify(stateOf([resource("bundle", "docs", { inputs })])),
            );
            const { exitCode, stderr } = await run(folder, ["redact-state", "state.json", "--out", "redacted"]);
            assert.equal(exitCode, 2);
            assert.match(stderr, /^error: This stack cannot be redacted:\n {2}- StaticExportBundle docs: __provider/);
            assert.ok(!(await readdir(folder)).includes("redacted"));
        });
    });

    for (const [what, content, message] of [
        ["is not a state", "{}", /^error: The state has version undefined; this command reads only 3 and 4\./],
        ["is not JSON", "s3cr3t", /^error: The state is not JSON, or is incomplete\.\n$/],
        ["is missing", undefined, /^error: There is no file other\.json\.\n$/],
    ] as const) {
        itInLong(`reports a file that ${what}`, async () => {
            await inFolder(async (folder) => {
                if (content !== undefined) {
                    await writeFile(join(folder, "other.json"), content);
                }
                const { exitCode, stderr } = await run(folder, ["redact-state", "other.json", "--out", "redacted"]);
                assert.equal(exitCode, 2);
                assert.match(stderr, message);
            });
        });
    }
});

describe("static-export redact-config", function () {
    this.timeout(120_000);

    itInLong("inserts the placeholders into a pull request's configuration, and names a new secret", async () => {
        await withFolder(async (folder) => {
            const write = (name: string, text: string) => writeFile(join(folder, name), text);
            await write("state.json", JSON.stringify(state));
            await write("Pulumi.dev.yaml", configuration);
            await run(
                folder,
                ["redact-state", "state.json", "--config", "Pulumi.dev.yaml", "--out", "redacted"],
                passphrase,
            );
            const changed = `${configuration.replace('"1"', '"2"')}  docs:other: { secure: "${stackCrypter.encrypt("new")}" }\n`;
            await write("Pulumi.dev.yaml", changed);
            const { exitCode, stderr } = await run(folder, ["redact-config", "Pulumi.dev.yaml", "--from", "redacted"]);
            assert.equal(exitCode, 0);
            assert.match(stderr, /^warning: \["docs:other"\] is a secret that is missing from the redacted stack\./);
            const redacted = await readFile(join(folder, "redacted", "Pulumi.dev.yaml"), "utf8");
            const written = await readFile(join(folder, "Pulumi.dev.yaml"), "utf8");
            assert.ok(written.startsWith(redacted.replace('"1"', '"2"')));
            assert.ok(!written.includes(stackCrypter.salt));
        });
    });

    itInLong("reports that the redacted stack is missing", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "Pulumi.dev.yaml"), configuration);
            const { exitCode, stderr } = await run(folder, ["redact-config", "Pulumi.dev.yaml", "--from", "redacted"]);
            assert.equal(exitCode, 2);
            assert.match(stderr, /^error: There is no file redacted\/config-placeholders\.json\.\n$/);
        });
    });
});
