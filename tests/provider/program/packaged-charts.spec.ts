import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { documentationSiteChart } from "../../../provider/src/program/packaged-charts.js";

const packageFolder = fileURLToPath(new URL("../../../provider/", import.meta.url));

describe("documentationSiteChart", () => {
    let folder: string;

    beforeEach(() => {
        folder = realpathSync(mkdtempSync(join(tmpdir(), "chart-path-")));
        mkdirSync(join(folder, "node_modules"));
        mkdirSync(join(folder, "deep", "program"), { recursive: true });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("returns the path in node_modules instead of the target of a symlink there", () => {
        symlinkSync(packageFolder, join(folder, "node_modules", "pulumi-static-export"));
        const path = "node_modules/pulumi-static-export/charts/documentation-site";
        assert.equal(documentationSiteChart(folder), `./${path}`);
        assert.equal(documentationSiteChart(join(folder, "deep", "program")), `../../${path}`);
    });

    it("returns the package's folder if no node_modules folder contains the package", () => {
        const path = documentationSiteChart(folder);
        assert.equal(join(folder, path), join(packageFolder, "charts", "documentation-site"));
    });
});
