import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ensurePythonTool } from "../../../dev/toolchain/src/python-tool.js";
import { Sandbox } from "./support.js";

const tool = { name: "askit", version: "1.2.3" };

describe("ensurePythonTool", () => {
    const sandbox = Sandbox.use();
    const quiet = { onProgress: () => undefined };
    const pythonLog = () => readFile(path.join(sandbox.folder, "python.log"), "utf8");

    /** Writes a fake Python that copies itself into virtual environments, and whose `pip` runs the script `body`. */
    const putPython = (body = ":") =>
        sandbox.script(
            "python3",
            `echo "$@" >> ${sandbox.folder}/python.log
             case "$2" in
                 venv) mkdir -p "$4/bin" && cp "$0" "$4/bin/python";;
                 pip) ${body};;
             esac`,
        );

    it("installs the pinned version once, and returns the path of its command", async () => {
        await putPython();
        const lines: string[] = [];
        const command = await ensurePythonTool(tool, { onProgress: (line) => lines.push(line) });
        assert.match(command, /tools\/askit-1\.2\.3-[^/]+\/bin\/askit$/);
        assert.match(await pythonLog(), /pip install --quiet --disable-pip-version-check askit==1\.2\.3\n$/);
        assert.match(lines.join("\n"), /^Installed askit 1\.2\.3 in /);
        const calls = await pythonLog();
        assert.equal(await ensurePythonTool(tool, quiet), command);
        assert.equal(await pythonLog(), calls);
    });

    it("suggests a fix if pip fails, and installs again the next time", async () => {
        await putPython("echo 'no network' >&2; exit 1");
        await assert.rejects(ensurePythonTool(tool, quiet), {
            name: "ToolUnavailableError",
            message: /^Cannot get askit 1\.2\.3: no network\. Check that this machine reaches the Python package index/,
        });
        await putPython();
        assert.match(await ensurePythonTool(tool, quiet), /askit$/);
    });
});
