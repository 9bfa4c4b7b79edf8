import assert from "node:assert/strict";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { json, text, withServer } from "../../sdk/support/http-server.js";
import { adminApiKey, Platform } from "../../e2e/support/platform.js";
import { type Outcome, run, withFolder } from "../support/command.js";

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const kubernetes = "4.34.2";

interface Finding {
    check: string;
    status: string;
    found: string;
    fix?: string;
}

/** Replacements for external programs. */
const programs = {
    pulumi: `case "$1" in
        version) echo v3.259.0 ;;
        plugin) echo '[{"name":"kubernetes","kind":"resource","version":"${kubernetes}"}]' ;;
        config) cat stack.json ;;
    esac`,
    kubectl: `echo '{"clientVersion":{},"serverVersion":{"gitVersion":"v1.34.1"}}'`,
};

/** Runs the command in a Pulumi project with the packages of this checkout. */
async function withProject(
    use: (
        doctor: (env?: Record<string, string>, ...args: string[]) => Promise<Outcome>,
        folder: string,
    ) => Promise<void>,
    stubs: Partial<Record<string, string>> = programs,
): Promise<void> {
    await withFolder(async (folder) => {
        await writeFile(join(folder, "Pulumi.yaml"), "name: docs\nruntime: nodejs\n");
        await symlink(modules, join(folder, "node_modules"));
        await mkdir(join(folder, "bin"));
        for (const [name, script] of Object.entries(stubs)) {
            await writeFile(join(folder, "bin", name), `#!/bin/sh\n${script}\n`);
            await chmod(join(folder, "bin", name), 0o755);
        }
        await use(async (env = {}, ...args) => {
            const path = `${join(folder, "bin")}:/usr/bin:/bin`;
            const outcome = await run(folder, ["doctor", ...args], { PATH: path, ...env });
            assert.ok(!(outcome.stdout + outcome.stderr).includes(adminApiKey), "the key was printed");
            return outcome;
        }, folder);
    });
}

const findingsOf = ({ stdout }: Outcome) => JSON.parse(stdout) as Finding[];

function findingAbout(check: string, outcome: Outcome): Finding {
    const found = findingsOf(outcome).find((finding) => finding.check === check);
    assert.ok(found, outcome.stdout);
    return found;
}

describe("static-export doctor", function () {
    this.timeout(60_000);

    it("exits with 0 and starts no job if nothing is missing", async () => {
        const platform = await Platform.start();
        try {
            await withProject(async (doctor) => {
                const env = {
                    STATIC_EXPORT_BASE_URL: platform.service.url,
                    STATIC_EXPORT_ADMIN_API_KEY: adminApiKey,
                    KUBECONFIG: "Pulumi.yaml",
                };
                const { exitCode, stdout } = await doctor(env);
                assert.equal(exitCode, 0, stdout);
                assert.match(stdout, /^ok +Pulumi +3\.259\.0$/m);
                assert.match(stdout, /^ok +pulumi-static-export +\d/m);
                assert.match(stdout, new RegExp(`^ok +plugins +kubernetes ${kubernetes}$`, "m"));
                assert.match(stdout, /^ok +chart +documentation-site \d/m);
                assert.match(stdout, /^ok +key +is accepted; no job was started$/m);
                assert.match(stdout, /^ok +kubectl +reaches a cluster v1\.34\.1$/m);
                // The output does not go to a terminal, so it contains no colours.
                assert.ok(!stdout.includes("\u001b"));
            });
            assert.deepEqual([platform.count("start"), platform.count("get")], [0, 1]);
        } finally {
            await platform.stop();
        }
    });

    for (const [what, reply, check, found, fix] of [
        ["401", json(401, { error: "no" }), "key", /not accepted \(401\): it is wrong, expired/, /valid now/],
        ["403", json(403, { error: "no" }), "key", /may not export \(403\)/, /scope .* address .* plan/],
        [
            "a page",
            text(404, "<html>"),
            "address",
            /does not offer static exports \(404\)/,
            /^Correct the base address/,
        ],
        ["502", json(502, {}), "address", /answered 502 Bad Gateway/, /try again later/],
    ] as const) {
        it(`exits with 1 and suggests a fix if the service answers ${what}`, async () => {
            await withServer([reply], async ({ baseUrl, requests }) => {
                await withProject(async (doctor) => {
                    const env = { STATIC_EXPORT_BASE_URL: baseUrl, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
                    const outcome = await doctor(env, "--json");
                    assert.equal(outcome.exitCode, 1);
                    const finding = findingAbout(check, outcome);
                    assert.equal(finding.status, "error");
                    assert.match(finding.found, found);
                    assert.match(finding.fix ?? "", fix);
                    assert.equal(requests.length, 1);
                });
            });
        });
    }

    it("reports missing and invalid settings", async () => {
        await withProject(async (doctor) => {
            const none = await doctor({ STATIC_EXPORT_BASE_URL: "", STATIC_EXPORT_ADMIN_API_KEY: "" }, "--json");
            const inStack =
                /^If a stack has the setting static-export:\w+, pass --stack\. Otherwise, set STATIC_EXPORT_/;
            assert.match(findingAbout("address", none).fix ?? "", inStack);
            const clear = await doctor(
                { STATIC_EXPORT_BASE_URL: "http://api.example.com", STATIC_EXPORT_ADMIN_API_KEY: adminApiKey },
                "--json",
            );
            assert.match(findingAbout("address", clear).found, /must begin with https:/);
            const noKey = await doctor(
                { STATIC_EXPORT_BASE_URL: "https://api.example.com", STATIC_EXPORT_ADMIN_API_KEY: "" },
                "--json",
            );
            assert.match(findingAbout("key", noKey).fix ?? "", inStack);
            assert.deepEqual([none.exitCode, clear.exitCode, noKey.exitCode], [1, 1, 1]);
        });
    });

    it("prefers the settings of a stack, and warns about a plain-text key", async () => {
        const platform = await Platform.start();
        try {
            await withProject(async (doctor, folder) => {
                const configure = async (secret: boolean) =>
                    writeFile(
                        join(folder, "stack.json"),
                        JSON.stringify({
                            "static-export:baseUrl": { value: platform.service.url, secret: false },
                            "static-export:adminApiKey": { value: adminApiKey, secret },
                        }),
                    );
                const env = { STATIC_EXPORT_BASE_URL: "http://127.0.0.1:1", STATIC_EXPORT_ADMIN_API_KEY: "other" };
                await configure(true);
                const secret = await doctor(env, "--json", "--stack", "dev");
                assert.equal(findingAbout("key", secret).status, "ok", secret.stdout);
                assert.equal(findingAbout("stack", secret).status, "ok");
                await configure(false);
                const clear = await doctor(env, "--json", "--stack", "dev");
                assert.match(findingAbout("stack", clear).found, /is in plain text/);
                assert.equal(clear.exitCode, 0);
            });
        } finally {
            await platform.stop();
        }
    });

    it("reports why a stack cannot be read", async () => {
        await withProject(
            async (doctor) => {
                const outcome = await doctor({}, "--json", "--stack", "dev");
                assert.match(findingAbout("stack", outcome).found, /cannot be read: no stack named 'dev' found/);
                assert.equal(outcome.exitCode, 1);
            },
            {
                pulumi: `[ "$1" = config ] && { echo "error: no stack named 'dev' found" >&2; exit 255; }; echo v3.259.0`,
            },
        );
    });

    it("lists the missing prerequisites of the machine and the program, each with its fix", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "Pulumi.yaml"), "name: docs\nruntime: nodejs\n");
            const outcome = await run(folder, ["doctor", "--json", "--chart", "chart"], { PATH: folder });
            assert.equal(outcome.exitCode, 1);
            for (const [check, status, fix] of [
                ["Pulumi", "error", /Install Pulumi's command line/],
                ["Pulumi SDK", "error", /npm install @pulumi\/pulumi/],
                ["pulumi-static-export", "error", /npm install \.\/pulumi-static-export-/],
                ["chart", "error", /--chart/],
                ["kubectl", "warning", /Install kubectl/],
            ] as const) {
                const finding = findingAbout(check, outcome);
                assert.equal(finding.status, status, check);
                assert.match(finding.fix ?? "", fix);
            }
        });
    });

    it("does not look for kubectl if neither the project nor the machine names a cluster", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "Pulumi.yaml"), "name: docs\nruntime: yaml\n");
            const settings = { PATH: folder, HOME: folder, KUBECONFIG: "" };
            const kubectl = async () =>
                findingAbout("kubectl", await run(folder, ["doctor", "--json"], settings)).status;
            assert.equal(await kubectl(), "skipped");
            await writeFile(join(folder, "requirements.txt"), "pulumi-kubernetes\n");
            assert.equal(await kubectl(), "warning");
        });
    });

    for (const [what, files, check, found] of [
        [
            "an SDK that is too old",
            { "node_modules/@pulumi/pulumi/package.json": '{"version":"3.215.0"}' },
            "Pulumi SDK",
            /3\.215\.0 was not tested/,
        ],
        [
            "an SDK that needs a later Node.js",
            { "node_modules/@pulumi/pulumi/package.json": '{"version":"3.300.0","engines":{"node":">=99"}}' },
            "Pulumi SDK",
            /needs Node\.js 99\.0, this is/,
        ],
        ["yarn's Plug'n'Play", { ".pnp.cjs": "" }, "pulumi-static-export", /Plug'n'Play/],
        [
            "a plugin that Pulumi would have to download",
            { "node_modules/@pulumi/kubernetes/package.json": '{"version":"4.99.0"}' },
            "plugins",
            /kubernetes 4\.99\.0 is not installed/,
        ],
    ] as const) {
        it(`detects ${what}`, async () => {
            await withProject(async (doctor, folder) => {
                const project = join(folder, "project");
                for (const [name, content] of Object.entries({ "Pulumi.yaml": "", ...files })) {
                    await mkdir(join(project, name, ".."), { recursive: true });
                    await writeFile(join(project, name), content);
                }
                const outcome = await doctor({}, "--json", "--cwd", "project");
                assert.match(findingAbout(check, outcome).found, found);
            });
        });
    }

    it("checks the packages where Pulumi runs the program, even if its files are damaged", async () => {
        await withProject(async (doctor, folder) => {
            const program = join(folder, "project", "infra");
            await mkdir(join(program, "node_modules/@pulumi/pulumi"), { recursive: true });
            await writeFile(join(folder, "project", "Pulumi.yaml"), "main: infra\nname: [\n");
            await writeFile(join(program, "node_modules/@pulumi/pulumi/package.json"), '{"version":"3.230.0"}');
            const outcome = await doctor({}, "--json", "--cwd", "project");
            assert.match(findingAbout("program", outcome).found, /Pulumi\.yaml cannot be read/);
            assert.equal(findingAbout("Pulumi SDK", outcome).found, "3.230.0");
        });
    });

    it("reports a dead proxy without its password, and rejects an invalid proxy", async () => {
        await withProject(async (doctor) => {
            const settings = {
                STATIC_EXPORT_BASE_URL: "https://api.example.com",
                STATIC_EXPORT_ADMIN_API_KEY: adminApiKey,
                NO_PROXY: "",
            };
            const down = await doctor({ ...settings, HTTPS_PROXY: "http://me:5ecret@127.0.0.1:1" }, "--json");
            assert.equal(findingAbout("proxy", down).found, "127.0.0.1:1 (HTTPS_PROXY) does not answer");
            assert.equal(findingAbout("address", down).found, "needs the proxy");
            assert.ok(!down.stdout.includes("5ecret"));
            const none = await doctor({ ...settings, HTTPS_PROXY: "socks5://127.0.0.1:1" }, "--json");
            assert.match(findingAbout("proxy", none).found, /HTTPS_PROXY must name a proxy/);
        });
    });

    for (const [what, reply, status, found, fix] of [
        ["can be listed", text(200, "<ListBucketResult></ListBucketResult>"), "ok", /can be listed/, undefined],
        [
            "is not there",
            text(404, "<Error><Code>NoSuchBucket</Code></Error>"),
            "error",
            /cannot be listed: NoSuchBucket/,
            /Create the bucket/,
        ],
        [
            "is closed to these credentials",
            text(403, "<Error><Code>AccessDenied</Code></Error>"),
            "error",
            /AccessDenied/,
            /s3:ListBucket/,
        ],
    ] as const) {
        it(`reports that a bucket ${what}`, async () => {
            await withServer([reply], async ({ baseUrl }) => {
                await withProject(async (doctor) => {
                    const outcome = await doctor(
                        { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" },
                        ...["--bucket", "docs", "--endpoint", baseUrl, "--json"],
                    );
                    const finding = findingAbout("bucket", outcome);
                    assert.equal(finding.status, status, finding.found);
                    assert.match(finding.found, found);
                    assert.equal(finding.fix === undefined, fix === undefined);
                    assert.match(finding.fix ?? "", fix ?? /^$/);
                });
            });
        });
    }

    it("requires the AWS SDK only with --bucket", async () => {
        await withFolder(async (folder) => {
            const without = await run(folder, ["doctor", "--json"]);
            assert.equal(findingAbout("bucket", without).status, "skipped");
            const named = await run(folder, ["doctor", "--json", "--bucket", "docs"]);
            assert.match(findingAbout("bucket", named).fix ?? "", /npm install @aws-sdk\/client-s3/);
        });
    });

    it("exits with 2 for a folder that does not exist", async () => {
        await withFolder(async (folder) => {
            const { exitCode, stderr } = await run(folder, ["doctor", "--cwd", "nowhere"]);
            assert.deepEqual([exitCode, /^error: There is no folder nowhere/.test(stderr)], [2, true]);
        });
    });
});
