import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { tmpdir } from "node:os";
import { findInstallationProblem } from "../../../provider/src/program/find-installation-problem.js";

const here = fileURLToPath(new URL(".", import.meta.url));

describe("findInstallationProblem", () => {
    it("finds none where the package is seen from the program's folder", () => {
        assert.equal(findInstallationProblem(here, undefined), undefined);
    });

    it("names the folder and the dependency to add where it is not seen from there", () => {
        const problem = findInstallationProblem(tmpdir(), undefined) ?? "";
        assert.ok(problem.includes(tmpdir()));
        assert.match(problem, /Add it to the program's own dependencies/);
    });

    it("says what to write into .yarnrc.yml where yarn's Plug'n'Play loads the program", () => {
        assert.match(findInstallationProblem(here, "3") ?? "", /nodeLinker: node-modules/);
    });
});
