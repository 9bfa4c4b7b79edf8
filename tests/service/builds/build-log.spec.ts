import assert from "node:assert/strict";
import { buildEnvironment } from "../../../service/src/builds/build-environment.js";
import { BuildLog } from "../../../service/src/builds/build-log.js";

function linesOf(chunks: readonly string[], secrets: readonly string[] = []): string[] {
    const lines: string[] = [];
    const log = new BuildLog(secrets, (line) => lines.push(line));
    chunks.forEach((chunk) => log.addOutput(Buffer.from(chunk)));
    log.end();
    return lines;
}

/** Follows the first lines of an output that is too long. */
const beyond = "[the output is too long: its end follows when the command has ended]";

function numbered(count: number, name = "line"): string[] {
    return Array.from({ length: count }, (_, place) => `${name} ${place}`);
}

describe("The log of a build", () => {
    it("has one entry for each line, also if output ends within a line or character", () => {
        const [first, second] = [Buffer.from("é\nb").subarray(0, 1), Buffer.from("é\nb").subarray(1)];
        const lines: string[] = [];
        const log = new BuildLog([], (line) => lines.push(line));
        [Buffer.from("a"), first, second].forEach((chunk) => log.addOutput(chunk));
        assert.equal(log.end(), "aé ⏎ b");
        assert.deepEqual(lines, ["aé", "b"]);
    });

    it("contains no empty lines, colours or earlier states of a progress bar", () => {
        assert.deepEqual(linesOf(["\u001b[32mdone\u001b[0m\n\n10 %\r20 %\r\n"]), ["done", "20 %"]);
    });

    it("contains no secret, also if it is split, coloured, in several lines, or at the end of a long line", () => {
        const secret = "first-line\nsecond-line";
        assert.deepEqual(linesOf(["x first-", "line\nsecond-line\nsec\u001b[1mond-line\n"], [secret]), [
            "x ***",
            "***",
            "***",
        ]);
        const long = `${"a".repeat(990)}first-line\n`;
        assert.deepEqual(linesOf([long], ["first-line"]), [`${"a".repeat(990)}***`]);
    });

    it("ends with the last lines of a long output, without its secrets, and spends no time on what is between", () => {
        const lines: string[] = [];
        const log = new BuildLog(["first-line"], (line) => lines.push(line));
        const chunk = Buffer.from("x\n".repeat(32_000));
        const startedAt = process.cpuUsage();
        for (let chunks = 0; chunks < 400; chunks += 1) {
            log.addOutput(chunk);
        }
        log.addOutput(Buffer.from("a first-line\nthe end"));
        const seconds = process.cpuUsage(startedAt).user / 1e6;
        assert.match(log.end(), /x ⏎ a \*\*\* ⏎ the end$/);
        assert.equal(lines.length, 1202);
        assert.ok(seconds < 2, `${seconds} s for 13 million lines`);
    });

    it("has the first 1000 lines of a long output and its last 200, and the size of what is between", () => {
        const all = numbered(3000);
        const leftOutBytes = all.slice(1000, 2800).join("\n").length + 1;
        assert.deepEqual(linesOf([`${all.join("\n")}\n`]), [
            ...all.slice(0, 1000),
            ...[beyond, `[${leftOutBytes} bytes are left out before this]`],
            ...all.slice(2800),
        ]);
        assert.deepEqual(linesOf(all.slice(0, 1100).map((line) => `${line}\n`)), [
            ...all.slice(0, 1000),
            ...[beyond, "[the end of the output]"],
            ...all.slice(1000, 1100),
        ]);
    });

    it("has the end of both streams in the order in which they were written, also if one writes much more", () => {
        const lines: string[] = [];
        const log = new BuildLog([], (line) => lines.push(line));
        log.addOutput(Buffer.from(`${numbered(1001).join("\n")}\n`));
        log.addOutput(Buffer.from("an early error\n"), true);
        log.addOutput(Buffer.from(`${"x".repeat(65_000)}\n`.repeat(4)));
        for (const each of numbered(3, "page")) {
            log.addOutput(Buffer.from(`${each}\n`));
            log.addOutput(Buffer.from(`warning after ${each}\n`), true);
        }
        log.end();
        const last = numbered(3, "page").flatMap((page) => [page, `warning after ${page}`]);
        assert.deepEqual(lines.slice(-6), last);
        assert.ok(lines.includes("an early error"));
    });

    it("does not count text that the next text of its line overwrites, in whatever parts it arrives", () => {
        const states = Array.from({ length: 300_000 }, (_, place) => `\r\u001b[32m⠋ ${place} of 300000 files`);
        const end = "\nuseful\n";
        const expected = ["begin", "⠋ 299999 of 300000 files", "useful"];
        assert.deepEqual(linesOf(["begin\n", states.join(""), end]), expected);
        assert.deepEqual(linesOf(["begin\n", ...states, end], ["a-s3cret-value"]), expected);
    });

    it("shows the last state of a progress bar, also if the output before it is too long", () => {
        const state = (count: number) => `\rProgress ${count} of 300000 files`;
        // A bar whose states are not known to be overwritten, because nobody sees what follows a return.
        const hidden = "\r\u001b[0m".repeat(1_700_000);
        const rest = Array.from({ length: 300_000 }, (_, place) => state(place)).join("");
        const lines = linesOf([state(1), hidden, rest, "\nREAL-ERROR\n"]);
        assert.equal(lines[0], beyond);
        assert.deepEqual(lines.slice(2), ["Progress 299999 of 300000 files", "REAL-ERROR"]);
    });

    it("hides a value of which a part is overwritten", () => {
        const bar = "\rProgress".repeat(1000);
        assert.deepEqual(linesOf([`${bar}s3cret-\rvalue-of-the-service\n`], ["s3cret-value-of-the-service"]), ["***"]);
    });

    it("keeps a line that only sequences of terminals follow, and its returns", () => {
        assert.deepEqual(linesOf(["one\r\u001b[0m\r\ntwo\r", "\r\nthree\u001b[0m\r", "\u001b[K\n"]), [
            "one",
            "two",
            "three",
        ]);
    });

    it("keeps the spaces of a line, which point to an error", () => {
        assert.deepEqual(linesOf(["  File  x\n\t    ^^^^  \n"]), ["  File  x", "\t    ^^^^"]);
    });

    it("ends with the reason of npm's error, which its help follows", () => {
        const reason = [
            "npm error code EUSAGE",
            "npm error",
            "npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.",
            "npm error Missing: is-odd@3.0.1 from lock file",
            "npm error",
            "npm error Clean install a project",
            "npm error",
        ];
        const options = Array.from({ length: 100 }, (_, place) => `npm error   --option-${place}`);
        const help = [
            "npm error Usage:",
            "npm error npm ci",
            "npm error",
            ...options,
            'npm error Run "npm help ci" for more info',
        ];
        const rest = ["npm error A complete log of this run can be found in: /home/.cache/npm/_logs/a.log"];
        const lines: string[] = [];
        const log = new BuildLog([], (line) => lines.push(line));
        log.addOutput(Buffer.from([...reason, ...help, ...rest].join("\n")), true);
        assert.equal(log.end(), reason.filter((line) => line !== "npm error").join(" ⏎ "));
        assert.equal(lines.length, reason.length + help.length + rest.length);
    });

    it("ends with lines after npm's help, also if a later program writes them", () => {
        const log = new BuildLog([], () => undefined);
        log.addOutput(Buffer.from("npm error Usage:\nnpm error npm ci\nbuild.sh: line 3: an error\n"));
        assert.equal(log.end(), "build.sh: line 3: an error");
    });

    it("hides a value that is part of another, and one of which a stream writes each half", () => {
        assert.deepEqual(linesOf(["postgres://docs:hunter2@db\n"], ["hunter2", "postgres://docs:hunter2@db"]), ["***"]);
        const lines: string[] = [];
        const log = new BuildLog(["hunter2hunter2"], (line) => lines.push(line));
        log.addOutput(Buffer.from("a hunter2"));
        log.addOutput(Buffer.from("a warning\n"), true);
        log.addOutput(Buffer.from("hunter2\n"));
        log.end();
        assert.deepEqual(lines, ["a warning", "a ***"]);
    });

    it("hides a value that began before the end of a long output", () => {
        const secret = "s3cret-".repeat(20);
        const start = `${"x\n".repeat(2000)}${secret.slice(0, 70)}`;
        const rest = `${secret.slice(70)}\n${secret.slice(70)}\n${"y".repeat(70_000)}\nthe end`;
        const log = new BuildLog([secret], () => undefined);
        [start, rest].forEach((chunk) => log.addOutput(Buffer.from(chunk)));
        assert.doesNotMatch(log.end(), /s3cret/);
    });

    it("reads no more of lines that nobody sees than of others", () => {
        const cases = [
            [`${"\r".repeat(64_000)} \n`, 0],
            [`${"\u001b]".repeat(32_000)}\n`, 2],
            [`${"\r\u001b]".repeat(21_000)}\n`, 2],
            ["\n".repeat(64_000), 2],
        ] as const;
        for (const [line, expected] of cases) {
            const lines: string[] = [];
            const log = new BuildLog([], (each) => lines.push(each));
            const chunk = Buffer.from(line);
            const startedAt = process.cpuUsage();
            for (let count = 0; count < 300; count += 1) {
                log.addOutput(chunk);
            }
            log.end();
            const seconds = process.cpuUsage(startedAt).user / 1e6;
            assert.equal(lines.length, expected, lines.join("\n"));
            // Each line alone took three seconds when this work was quadratic.
            assert.ok(seconds < 5, `${seconds} s for ${JSON.stringify(line.slice(0, 3))}`);
        }
    });

    it("cuts lines that are too long", () => {
        const chunks = Array.from({ length: 50 }, () => "x".repeat(50_000));
        assert.deepEqual(linesOf([...chunks, "\nnext\n"]), ["x".repeat(1000), "next"]);
    });
});

describe("The environment of a build", () => {
    const env = {
        HTTPS_PROXY: "http://me:pa%24s@proxy:3128",
        SSL_CERT_FILE: "/certs/ca.pem",
        KEY: "secret",
        TOKEN: "token",
    };

    it("has certificates and proxies only with a network, and otherwise only the named variables", () => {
        assert.deepEqual(buildEnvironment(["TOKEN"], env, false), {
            variables: { TOKEN: "token" },
            secrets: ["token"],
            files: [],
        });
        const { variables, secrets, files } = buildEnvironment(["TOKEN"], env, true);
        assert.deepEqual(Object.keys(variables).sort(), ["HTTPS_PROXY", "SSL_CERT_FILE", "TOKEN"]);
        assert.deepEqual(secrets, ["token", "pa$s", "pa%24s", "me:pa%24s"]);
        assert.deepEqual(files, ["/certs/ca.pem"]);
    });
});
