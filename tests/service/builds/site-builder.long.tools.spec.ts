import assert from "node:assert/strict";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFolder } from "../../sdk/support/files.js";
import { skipWithoutSandbox, withBuild } from "./support/with-build.js";

async function commandLines(): Promise<string[]> {
    const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    return Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
}

describe("A build in the sandbox", function () {
    this.timeout(60_000);

    before(skipWithoutSandbox);

    it("returns the output, and its log line by line", async () => {
        const command = "echo one; mkdir out; printf 'a\\rtwo\\n' >&2; node -p 6*7 > out/index.html";
        await withBuild({ command }, async ({ files, lines, read }) => {
            assert.deepEqual(files, ["index.html"]);
            assert.equal(await read("index.html"), "42\n");
            assert.deepEqual(lines.sort(), ["one", "two"]);
        });
    });

    it("fails with the last lines of the log, and stops at the first command that fails", async () => {
        await withBuild({ command: "echo missing page\nfalse\necho never" }, ({ error, lines }) => {
            assert.equal(error, "The build exited with code 1. Its log ends with: missing page");
            assert.deepEqual(lines, ["missing page"]);
        });
    });

    it("reads neither keys nor the service's environment, other builds and other sites", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "other.md"), "other_5ecret");
            const places = `${folder} /etc/shadow /proc/[0-9]*/environ /proc/1/root/root /root /home /var`;
            const command =
                `mkdir out; cat /etc/shadow > out/shadow 2>/dev/null || true\n` +
                `grep -raoE '(key|environment|other)_5ecret' .. ${places} > out/seen 2>/dev/null || true`;
            await withBuild(
                { command, dataDir: join(folder, "data"), options: { siteFolders: () => [folder] } },
                async ({ read }) => {
                    assert.equal(await read("seen"), "");
                    assert.equal(await read("shadow"), "");
                },
            );
        });
    });

    it("changes nothing outside of its folders, and cannot replace a program of the system", async () => {
        const paths = ["/usr/bin/bwrap", "/usr/bin/own", "/etc/passwd", "/own", "/dev/own", "../repository/own"];
        const tries = paths.map((path) => `(echo x >> ${path}) 2>/dev/null && echo ${path} >> out/written || true`);
        await withBuild({ command: ["mkdir out", "touch out/written", ...tries].join("\n") }, async ({ read }) => {
            assert.equal(await read("written"), "");
        });
    });

    it("never runs as root, changes no setting of the kernel, and makes no namespaces", async () => {
        const tries = [
            "id -u > out/user",
            "{ echo changed > /proc/sys/kernel/domainname; } 2>/dev/null && echo kernel >> out/changed",
            "unshare --user --map-root-user true 2>/dev/null && echo namespace >> out/changed",
            "test ! -e /run/systemd/resolve/io.systemd.Resolve || echo resolver >> out/changed",
            "true",
        ];
        await withBuild({ command: `mkdir out; ${tries.join("; ")}` }, async ({ files, read }) => {
            assert.deepEqual(files, ["user"]);
            assert.notEqual((await read("user")).trim(), "0");
        });
    });

    it("may run git in a repository that another user fetched", async () => {
        const command = "mkdir out; git init -q x; git -C x status > out/status";
        await withBuild({ command }, ({ files }) => assert.deepEqual(files, ["status"]));
    });

    it("runs in the same folders as every other build, also in pods", async () => {
        const command = "mkdir out; pwd > out/places; echo $HOME $TMPDIR $XDG_CACHE_HOME >> out/places";
        const places = "/work/site\n/work/home /tmp /work/home/.cache\n";
        await withBuild({ command }, async ({ read }) => assert.equal(await read("places"), places));
    });

    it("keeps the operator's settings of git, also if the service runs as root", async () => {
        const command = "mkdir out; git config user.name > out/name; git config --get-all safe.directory || true";
        const variables = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "Operator" };
        await withBuild({ command, build: { variables } }, async ({ read }) => {
            assert.equal(await read("name"), "Operator\n");
        });
    });

    it("gets the variables that the operator names, whose values its log does not show", async () => {
        const env = { PATH: process.env["PATH"] ?? "", TOKEN: "tok_5ecret", OTHER: "environment_5ecret" };
        const command =
            "mkdir out; env > out/env; echo $TOKEN; printf '%s' \"tok_\"; echo 5ecret; echo $TOKEN >&2; false";
        await withBuild({ command, build: { environment: ["TOKEN"] }, options: { env } }, ({ error, lines }) => {
            assert.doesNotMatch([error, ...lines].join("\n"), /5ecret/);
            assert.match(error, /log ends with: \*\*\*/);
        });
        await withBuild({ command: "mkdir out; env > out/env", options: { env } }, async ({ read }) => {
            assert.doesNotMatch(await read("env"), /5ecret/);
        });
        await withBuild({ command, build: { environment: ["NONE"] } }, ({ error }) => {
            assert.match(error, /needs the environment variable NONE, which is not set/);
        });
    });

    it("gets variables whose values are in no line and no error of the service, also as a file's name", async () => {
        const build = { environment: ["TOKEN"] };
        const options = { env: { PATH: process.env["PATH"] ?? "", TOKEN: "tok_5ecret" } };
        await withBuild({ command: 'mkdir out; ln -s /etc "out/$TOKEN"', build, options }, ({ lines }) => {
            assert.deepEqual(lines.slice(-1), [
                'Left out 1 links that lead out of the output folder, or nowhere: "***"',
            ]);
        });
        const command = "mkdir out; touch \"out/$TOKEN$(printf '\\377')\"";
        await withBuild({ command, build, options }, ({ error }) => {
            assert.equal(error, 'The name of "***\uFFFD" is not valid UTF-8: rename the file.');
        });
    });

    it("ends with all of its processes: a daemon, an endless command, and a cancelled one", async () => {
        // No other process on the machine sleeps for this long.
        const sleep = "sleep 86318.5";
        const areGone = async () => assert.ok(!(await commandLines()).some((line) => line.includes("86318.5")));
        await withBuild({ command: `mkdir out; setsid ${sleep} > /dev/null 2>&1 &` }, async ({ files }) => {
            assert.deepEqual(files, []);
            await areGone();
        });
        const trapped = `trap '' TERM; ${sleep} & ${sleep}; ${sleep}`;
        await withBuild({ command: trapped, build: { timeoutSeconds: 1 } }, async ({ error }) => {
            assert.match(error, /did not end within 1 s/);
            await areGone();
        });
        const stop = new AbortController();
        const cancel = () => stop.abort(new Error("cancelled"));
        const command = `echo started; ${trapped}`;
        await withBuild({ command, signal: stop.signal, onLine: cancel }, async ({ error }) => {
            assert.equal(error, "cancelled");
            await areGone();
        });
    });

    it("is ended if it takes too many processes, files or bytes of disk or memory", async () => {
        const many = "i=0; while [ $i -lt 100 ]; do sleep 30 & i=$((i + 1)); done; wait";
        const files = "mkdir out; i=0; while :; do : > out/$i; i=$((i + 1)); done";
        const memory = "node -e 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1));'";
        const grows = "node -e 'const all = []; setInterval(() => all.push(Buffer.alloc(2 ** 21, 1)), 50);'";
        const cases: [command: string, build: object, error: RegExp][] = [
            [many, { maxProcesses: 50 }, /started more than 50 processes/],
            [files, { maxFiles: 2000 }, /created more than 2000 files/],
            [
                "mkdir out; cat /dev/zero > out/a",
                { diskMegabytes: 16 },
                /MB of disk|exited with code 1|SIGXFSZ|code 153/,
            ],
            [
                "mkdir out; while :; do head -c 4M /dev/zero > out/$(date +%N); done",
                { diskMegabytes: 16 },
                /more than 16 MB of disk\. Raise build\.diskMegabytes in the sites file\./,
            ],
            ["head -c 64M /dev/zero > /dev/shm/a; sleep 30", { diskMegabytes: 48 }, /code|disk/],
            [memory, { memoryMegabytes: 300 }, /The build (?:used more than 300 MB|was ended|exited)/],
            [`${grows} & ${grows} & ${grows} & wait`, { memoryMegabytes: 400 }, /more than 400 MB of memory/],
        ];
        for (const [command, build, reason] of cases) {
            await withBuild({ command, build }, ({ error }) => assert.match(error, reason));
        }
    });

    it("is ended if it takes more memory or disk than it may in shared memory, memfd or deleted files", async () => {
        const wait = "import time; time.sleep(30)";
        const shared = `import mmap; m = mmap.mmap(-1, 300 << 20); [m.write(b"x" * (1 << 20)) for _ in range(300)]; ${wait}`;
        const memfd =
            `import os; fs = [os.memfd_create("a") for _ in range(3)]; ` +
            `[os.write(f, b"x" * (1 << 20)) for f in fs for _ in range(90)]; ${wait}`;
        const deleted =
            `import os; f = open("a", "wb"); os.unlink("a"); [f.write(b"x" * (1 << 20)) for _ in range(50)]; ` +
            `g = open("b", "wb"); os.unlink("b"); [g.write(b"x" * (1 << 20)) for _ in range(50)]; f.flush(); g.flush(); ${wait}`;
        const cases: [program: string, build: object, error: RegExp][] = [
            [shared, { memoryMegabytes: 200 }, /more than 200 MB of memory/],
            [memfd, { memoryMegabytes: 200 }, /more than 200 MB of memory/],
            [deleted, { diskMegabytes: 64 }, /more than 64 MB of disk|more disk than 64 MB.*build\.diskMegabytes/],
        ];
        for (const [program, build, reason] of cases) {
            const prepare = (checkout: string) => writeFile(join(checkout, "a.py"), program);
            await withBuild({ command: "python3 a.py", build, prepare }, ({ error }) => assert.match(error, reason));
        }
    });

    it("has a short log, however much the builder writes", async () => {
        const command = "yes | head -c 30000000; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last; false";
        await withBuild({ command }, ({ error, lines }) => {
            assert.equal(lines.length, 1202);
            assert.match(lines.at(-201) ?? "", /^\[\d+ bytes are left out before this\]$/);
            assert.ok(Math.max(...lines.map(({ length }) => length)) <= 1000);
            assert.match(error, /last$/);
            assert.ok(error.length < 20_000);
        });
    });

    it("fails if its output is missing, a link out of the repository, or much larger than its disk", async () => {
        const cases: [command: string, build: object, error: RegExp][] = [
            ["true", {}, /wrote no folder out in the repository: correct outputFolder/],
            ["ln -s /etc out", {}, /wrote no folder out in the repository/],
            ["ln -s ../.. out", {}, /wrote no folder out in the repository/],
            ["mkdir out; for i in 1 2 3; do truncate -s 15M out/$i; done", { diskMegabytes: 16 }, /wrote more than/],
        ];
        for (const [command, build, reason] of cases) {
            await withBuild({ command, build }, ({ error }) => assert.match(error, reason, command));
        }
    });

    it("leaves no folder behind that cannot be removed", async () => {
        const command = "mkdir -p out/a/b; touch out/a/b/c; chmod 000 out/a; chmod 500 .";
        await withBuild({ command }, ({ files }) => assert.deepEqual(files, ["a"]));
    });

    it("takes its command from the repository if the operator gives none", async () => {
        const settings = "build:\n  command: mkdir out; pwd > out/place\n  outputFolder: out\n  baseFolder: website\n";
        const prepare = async (checkout: string) => {
            await mkdir(join(checkout, "website"));
            await writeFile(join(checkout, ".static-export.yaml"), settings);
        };
        await withBuild({ prepare }, async ({ read }) => assert.match(await read("place"), /\/site\/website\n$/));
    });

    it("follows the other settings of the repository if the operator gives a command", async () => {
        const settings = "build:\n  command: echo theirs\n  outputFolder: out\n  install: mkdir out; echo 1 > out/a\n";
        const prepare = (checkout: string) => writeFile(join(checkout, ".static-export.yaml"), settings);
        await withBuild({ command: "echo ours", prepare }, ({ files, lines }) => {
            assert.deepEqual(files, ["a"]);
            // Without a network, the log also says so.
            assert.deepEqual(lines.slice(-1), ["ours"]);
            assert.ok(!lines.includes("theirs"));
        });
    });

    it("prefers the programs of the project to those of the machine", async () => {
        const prepare = async (checkout: string) => {
            await mkdir(join(checkout, "node_modules/.bin"), { recursive: true });
            await writeFile(join(checkout, "node_modules/.bin/cat"), "#!/bin/sh\necho own\n", { mode: 0o755 });
        };
        await withBuild({ command: "mkdir out; cat", prepare }, ({ lines }) => assert.deepEqual(lines, ["own"]));
    });

    it("finds the programs that its command has installed for its user, as pip may", async () => {
        const command = [
            'mkdir -p "$HOME/.local/bin" out',
            `printf '#!/bin/sh\necho "$PIP_BREAK_SYSTEM_PACKAGES" > out/index.html\n' > "$HOME/.local/bin/mkdocs"`,
            'chmod +x "$HOME/.local/bin/mkdocs"',
            "mkdocs",
        ].join("\n");
        await withBuild({ command }, async ({ read }) => assert.equal(await read("index.html"), "1\n"));
    });

    it("names the versions in the repository that are not available, and uses the machine's", async () => {
        const prepare = (checkout: string) => writeFile(join(checkout, ".python-version"), "3.99\n");
        await withBuild({ command: "mkdir out", prepare }, ({ lines, error }) => {
            assert.equal(error, "");
            assert.match(lines.join(), /Python 3\.99 is not available: this machine has 3\./);
        });
    });

    it("explains an end for lack of memory, and names its whole time after a long installation", async () => {
        await withBuild({ command: "kill -9 $$" }, ({ error }) => {
            assert.match(error, /It may need more memory than 2048 MB: raise build\.memoryMegabytes/);
        });
        const build = { install: "sleep 1.5", timeoutSeconds: 2 };
        await withBuild({ command: "sleep 30", build }, ({ error }) => {
            assert.match(error, /^The build did not end within 2 s/);
        });
    });

    it("does not follow a link in place of its settings", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "secret.yaml"), "build: [key_5ecret]");
            const prepare = (checkout: string) =>
                symlink(join(folder, "secret.yaml"), join(checkout, ".static-export.yaml"));
            await withBuild({ prepare }, ({ error }) => {
                assert.match(
                    error,
                    /^The site's build has no command or no output folder: set build\.command and build\.outputFolder/,
                );
            });
        });
    });
});
