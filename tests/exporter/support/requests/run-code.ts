import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface CodeRunner {
    readonly isInstalled: readonly string[];
    /** Writes one program that sends all requests, one after the other, and runs it. */
    readonly send: (codes: readonly string[], folder: string) => Promise<unknown>;
}

const options = (cwd: string) => ({
    cwd,
    timeout: 240_000,
    env: { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off" },
});

async function runFile(folder: string, file: string, text: string, ...commands: string[][]): Promise<void> {
    await writeFile(`${folder}/${file}`, text);
    for (const [command = "", ...args] of commands) {
        await run(command, args, options(folder));
    }
}

/** Surrounds each code, and separates the codes. */
const blocks = (codes: readonly string[], begin: string, end: string) =>
    codes.map((code) => begin + code + end).join("\n");

/** How the code of a language is run: as readers do, with the imports around it that their editor adds. */
export const runners: Readonly<Record<string, CodeRunner>> = {
    curl: {
        isInstalled: ["curl", "--version"],
        send: (codes, folder) => runFile(folder, "all.sh", `set -e\n${codes.join("\n")}`, ["bash", "all.sh"]),
    },
    javascript: {
        isInstalled: [process.execPath, "--version"],
        send: (codes, folder) => {
            const text = blocks(codes, "{\n", "\n}").replaceAll(/^import .*$/gm, "");
            const start = 'import { openAsBlob } from "node:fs";\n';
            return runFile(folder, "all.mjs", start + text, [process.execPath, "all.mjs"]);
        },
    },
    python: {
        isInstalled: ["python3", "-c", "import requests"],
        send: (codes, folder) => runFile(folder, "all.py", codes.join("\n"), ["python3", "all.py"]),
    },
    go: {
        isInstalled: ["go", "version"],
        send: (codes, folder) => {
            const imports = ["fmt", "log", "net/http", "os", "strings"].map((name) => `import "${name}"\n`).join("");
            const used = "var _ = os.ReadFile\nvar _ = strings.NewReader\n";
            const text = `package main\n${imports}${used}func main() {\n${blocks(codes, "func() {\n", "\n}()")}\n}`;
            return runFile(folder, "main.go", text, ["go", "run", "main.go"]);
        },
    },
    php: {
        isInstalled: ["php", "-r", "curl_version();"],
        send: (codes, folder) => runFile(folder, "all.php", `<?php\n${codes.join("\n")}`, ["php", "all.php"]),
    },
    ruby: {
        isInstalled: ["ruby", "--version"],
        send: (codes, folder) => runFile(folder, "all.rb", codes.join("\n"), ["ruby", "-Ku", "all.rb"]),
    },
    java: {
        isInstalled: ["java", "--version"],
        send: (codes, folder) => {
            const imports = ["java.net.*", "java.net.http.*", "java.nio.file.*"].map((name) => `import ${name};\n`);
            const main = `public static void main(String[] a) throws Exception {\n${blocks(codes, "{\n", "\n}")}\n}`;
            const text = `${imports.join("")}class All {\n${main}\n}`;
            return runFile(folder, "All.java", text, ["java", "-Dfile.encoding=UTF-8", "All.java"]);
        },
    },
    csharp: {
        isInstalled: ["mcs", "--version"],
        send: (codes, folder) => {
            const names = ["System", "System.IO", "System.Linq", "System.Net.Http", "System.Text"];
            const imports = [...names, "System.Threading.Tasks"].map((name) => `using ${name};\n`).join("");
            // Mono's compiler knows C# 7.
            const text = blocks(codes, "{\n", "\n}").replaceAll("using var ", "var ");
            const program = `${imports}class All { static void Main() { Send().Wait(); } static async Task Send() {\n${text}\n} }`;
            const compile = ["mcs", "-r:System.Net.Http", "All.cs"];
            return runFile(folder, "All.cs", program, compile, ["mono", "All.exe"]);
        },
    },
};

/** Whether a language is installed here. */
export async function isInstalled({ isInstalled: [command = "", ...args] }: CodeRunner): Promise<boolean> {
    return run(command, args).then(
        () => true,
        () => false,
    );
}
