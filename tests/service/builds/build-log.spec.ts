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

describe("The log of a build", () => {
    it("has one entry for each line, also if output ends within a line or character", () => {
        const [first, second] = [Buffer.from("é\nb").subarray(0, 1), Buffer.from("é\nb").subarray(1)];
        const lines: string[] = [];
        const log = new BuildLog([], (line) => lines.push(line));
        [Buffer.from("a"), first, second].forEach(log.addOutput);
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
        assert.equal(lines.length, 1001);
        assert.ok(seconds < 2, `${seconds} s for 13 million lines`);
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
