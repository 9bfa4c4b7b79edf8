import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

type Command = readonly [command: string, ...args: string[]];

/** How the code of a language is run and checked: as readers do, with the imports around it that their editor adds. */
interface CodeRunner {
    readonly isInstalled: Command;
    readonly file: string;
    /** One program that runs all codes, one after the other. */
    readonly program: (codes: readonly string[]) => string;
    readonly run: readonly Command[];
    /** Reads the program without running it; ends with an error if any of the code is not in the language. */
    readonly check: Command;
}

/** Surrounds each code, and separates the codes. */
const blocks = (codes: readonly string[], begin: (at: number) => string, end: string) =>
    codes.map((code, at) => begin(at) + code + end).join("\n");

const calls = (codes: readonly string[], call: (at: number) => string) => codes.map((_, at) => call(at)).join("\n");

const node = process.execPath;

export const runners: Readonly<Record<string, CodeRunner>> = {
    curl: {
        isInstalled: ["curl", "--version"],
        file: "all.sh",
        program: (codes) => `set -e\n${codes.join("\n")}`,
        run: [["bash", "all.sh"]],
        check: ["bash", "-n", "all.sh"],
    },
    javascript: {
        isInstalled: [node, "--version"],
        file: "all.mjs",
        program: (codes) =>
            'import { openAsBlob } from "node:fs";\n' +
            blocks(codes, () => "{\n", "\n}").replaceAll(/^import .*$/gm, ""),
        run: [[node, "all.mjs"]],
        check: [node, "--check", "all.mjs"],
    },
    python: {
        isInstalled: ["python3", "-c", "import requests"],
        file: "all.py",
        program: (codes) => codes.join("\n"),
        run: [["python3", "all.py"]],
        check: ["python3", "-m", "py_compile", "all.py"],
    },
    go: {
        isInstalled: ["go", "version"],
        file: "main.go",
        program: (codes) => {
            const imports = ["fmt", "log", "net/http", "os", "strings"].map((name) => `import "${name}"\n`).join("");
            const used = "var _ = os.ReadFile\nvar _ = strings.NewReader\n";
            const functions = blocks(codes, (at) => `func send${at}() {\n`, "\n}");
            return `package main\n${imports}${used}${functions}\nfunc main() {\n${calls(codes, (at) => `send${at}()`)}\n}`;
        },
        run: [["go", "run", "main.go"]],
        check: ["go", "vet", "main.go"],
    },
    php: {
        isInstalled: ["php", "-r", "curl_version();"],
        file: "all.php",
        program: (codes) => `<?php\n${codes.join("\n")}`,
        run: [["php", "all.php"]],
        check: ["php", "-l", "all.php"],
    },
    ruby: {
        isInstalled: ["ruby", "--version"],
        file: "all.rb",
        program: (codes) => codes.join("\n"),
        run: [["ruby", "-Ku", "all.rb"]],
        check: ["ruby", "-Kuc", "all.rb"],
    },
    java: {
        isInstalled: ["java", "--version"],
        file: "All.java",
        program: (codes) => {
            const imports = ["java.net.*", "java.net.http.*", "java.nio.file.*"].map((name) => `import ${name};\n`);
            const methods = blocks(codes, (at) => `static void send${at}() throws Exception {\n`, "\n}");
            const main = `public static void main(String[] a) throws Exception {\n${calls(codes, (at) => `send${at}();`)}\n}`;
            return `${imports.join("")}class All {\n${methods}\n${main}\n}`;
        },
        run: [["java", "-Dfile.encoding=UTF-8", "All.java"]],
        check: ["javac", "-encoding", "UTF-8", "All.java"],
    },
    csharp: {
        isInstalled: ["mcs", "--version"],
        file: "All.cs",
        program: (codes) => {
            const names = ["System", "System.IO", "System.Linq", "System.Net.Http", "System.Text"];
            const imports = [...names, "System.Threading.Tasks"].map((name) => `using ${name};\n`).join("");
            // Mono's compiler knows C# 7.
            const methods = blocks(codes, (at) => `static async Task Send${at}() {\n`, "\n}").replaceAll(
                "using var ",
                "var ",
            );
            const main = `static void Main() {\n${calls(codes, (at) => `Send${at}().Wait();`)}\n}`;
            return `${imports}class All {\n${methods}\n${main}\n}`;
        },
        run: [
            ["mcs", "-r:System.Net.Http", "All.cs"],
            ["mono", "All.exe"],
        ],
        check: ["mcs", "-r:System.Net.Http", "All.cs"],
    },
};

/** Runs all codes in a folder. */
export async function runAll(runner: CodeRunner, codes: readonly string[], folder: string): Promise<void> {
    await execute(runner, codes, folder, runner.run);
}

/** Checks all codes in a folder, without running them. @throws with what the language's own program says */
export async function checkAll(runner: CodeRunner, codes: readonly string[], folder: string): Promise<void> {
    await execute(runner, codes, folder, [runner.check]);
}

async function execute(
    { file, program }: CodeRunner,
    codes: readonly string[],
    cwd: string,
    commands: readonly Command[],
): Promise<void> {
    await writeFile(`${cwd}/${file}`, program(codes));
    const env = { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off" };
    for (const [command, ...args] of commands) {
        await run(command, args, { cwd, timeout: 240_000, env, maxBuffer: 16_000_000 });
    }
}

/** Whether a language is installed here. */
export async function isInstalled({ isInstalled: [command, ...args] }: CodeRunner): Promise<boolean> {
    return run(command, args).then(
        () => true,
        () => false,
    );
}
