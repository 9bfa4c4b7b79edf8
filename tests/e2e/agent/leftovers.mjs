// An agent that changes a page, and leaves behind the leftover that its argument names.
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , kind, outside] = process.argv;
const { HOME, TMPDIR } = process.env;
const checkout = process.cwd();

const closed = (folder, mode) => {
    mkdirSync(join(folder, "inner"), { recursive: true });
    writeFileSync(join(folder, "inner", "file"), "x");
    chmodSync(join(folder, "inner"), mode);
    chmodSync(folder, mode);
};
const replaceCheckout = (put) => {
    process.chdir("/");
    renameSync(checkout, `${checkout}.away`);
    put();
};

const kinds = {
    nothing: () => undefined,
    "read-only folders in its home": () => closed(join(HOME, "go", "mod"), 0o555),
    "closed folders in its temporary files": () => closed(join(TMPDIR, "closed"), 0),
    "write-only folders in its home": () => closed(join(HOME, "hidden"), 0o300),
    "a read-only checkout": () => chmodSync(checkout, 0o555),
    "a closed folder in its checkout": () => closed(join(checkout, "closed"), 0),
    "a home that is closed itself": () => chmodSync(HOME, 0),
    "a folder for the run that is closed itself": () => chmodSync(join(checkout, ".."), 0o500),
    "a link instead of its checkout": () => replaceCheckout(() => symlinkSync(outside, checkout)),
    "another folder instead of its checkout": () => replaceCheckout(() => mkdirSync(checkout)),
    "no checkout at all": () => replaceCheckout(() => undefined),
    "links to what lies outside": () => {
        symlinkSync(outside, join(checkout, "link"));
        symlinkSync(join(outside, "private-key"), join(checkout, "key.md"));
    },
    "a link instead of git's index": () => {
        symlinkSync(join(outside, "private-key"), join(checkout, "..", "checkout.index"));
        symlinkSync(join(outside, "private-key"), `${checkout}.index.lock`);
    },
    "a path that is longer than the system takes": () => {
        process.chdir(HOME);
        for (let depth = 0; depth < 60; depth += 1) {
            mkdirSync("d".repeat(100));
            process.chdir("d".repeat(100));
        }
    },
    "a pipe and a socket": () => {
        execFileSync("mkfifo", [join(HOME, "pipe"), join(checkout, "pipe")]);
    },
    "its git folder removed": () => rmSync(join(checkout, ".git"), { recursive: true }),
    "its git folder pointing elsewhere": () => {
        rmSync(join(checkout, ".git"), { recursive: true });
        writeFileSync(join(checkout, ".git"), `gitdir: ${outside}\n`);
    },
    "a process in a session of its own, without an environment and a folder": () => {
        const script = 'echo $$ > "$0"; cd /; exec sleep 600 < /dev/null > /dev/null 2>&1';
        const options = { detached: true, env: {}, stdio: "ignore" };
        spawn("/bin/sh", ["-c", `( ${script} ) & sleep 0.2`, join(outside, "pid")], options).unref();
        execFileSync("sleep", ["0.4"]);
    },
};

if (kind === "--list") {
    console.log(JSON.stringify(Object.keys(kinds)));
} else {
    appendFileSync("index.md", "\nChanged.\n");
    kinds[kind]();
}
