// An agent that misbehaves in the way that its argument names.
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { setInterval } from "node:timers";

const [, , how, ...rest] = process.argv;
const forever = () => setInterval(() => undefined, 1000);
/** Starts a process in another session, which would outlive its parent, and writes the process's id to a file. */
const leaveChild = (file) => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { detached: true, stdio: "inherit" });
    child.unref();
    writeFileSync(file, String(child.pid));
};

switch (how) {
    case "flood":
        for (let line = 0; line < 200_000; line += 1) {
            writeFileSync(1, `line ${line} of very much output that nobody reads\n`);
        }
        writeFileSync("flood.md", "# Flood\n");
        break;
    case "fork":
        leaveChild(rest[0]);
        writeFileSync("fork.md", "# Fork\n");
        break;
    case "ignore-sigterm":
        process.on("SIGTERM", () => appendFileSync(rest[0], "SIGTERM\n"));
        leaveChild(rest[1]);
        forever();
        break;
    case "fill-disk":
        fillDisk();
        break;
    case "repeat-prompt":
        process.stdin.pipe((await import("node:fs")).createWriteStream("prompt.md"));
        break;
    case "nested-repository":
        writeFileSync("outer.md", "# Outer\n");
        execFileSync("git", ["init", "--quiet", "inner"]);
        writeFileSync("inner/a.md", "# Inner\n");
        execFileSync("git", ["-C", "inner", "add", "."]);
        execFileSync("git", ["-C", "inner", "-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "a"]);
        break;
    case "configure":
        execFileSync("git", ["config", "core.hooksPath", "hooks"]);
        execFileSync("git", ["config", "filter.evil.clean", `touch ${rest[0]}; cat`]);
        writeFileSync(".gitattributes", "*.md filter=evil\n");
        writeFileSync("configured.md", "# Configured\n");
        break;
    case "fail":
        writeFileSync("half.md", "# Half\n");
        console.error("no way");
        process.exit(3);
}

function fillDisk() {
    for (let file = 0; ; file += 1) {
        writeFileSync(`${file}.md`, Buffer.alloc(1024 * 1024, "x"));
    }
}
