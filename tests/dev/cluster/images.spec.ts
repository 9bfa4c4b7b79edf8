import assert from "node:assert/strict";
import { imageRecipes } from "../../../dev/cluster/src/local/images/image-recipes.js";
import { imageName, imageTag } from "../../../dev/cluster/src/local/images/archive-image.js";
import { imageArchive, parseLinkerTrace } from "../../../dev/cluster/src/local/images/images.js";

describe("parseLinkerTrace", () => {
    it("lists every library with a file, and the dynamic linker", () => {
        const trace = [
            "\tlinux-vdso.so.1 (0x00007ffe9a5f2000)",
            "\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f3b2c000000)",
            "\t/lib64/ld-linux-x86-64.so.2 (0x00007f3b2c3d4000)",
        ].join("\n");
        assert.deepEqual(parseLinkerTrace(trace), ["/lib/x86_64-linux-gnu/libz.so.1", "/lib64/ld-linux-x86-64.so.2"]);
    });

    it("lists no libraries for a static program", () => {
        assert.deepEqual(parseLinkerTrace("\tstatically linked\n"), []);
        assert.deepEqual(parseLinkerTrace(""), []);
    });
});

describe("the local cluster's images", () => {
    it("use names that no registry serves, and separate archives", () => {
        const archives = Object.values(imageRecipes).map((recipe) => {
            assert.match(imageName(recipe), /^static-export\.local\//);
            assert.equal(`${imageName(recipe)}:${imageTag(recipe)}`, recipe.reference);
            return imageArchive(recipe);
        });
        assert.deepEqual(archives, ["/opt/images/pause.tar", "/opt/images/node.tar", "/opt/images/nginx.tar"]);
    });

    it("run as non-root users", () => {
        for (const { user } of Object.values(imageRecipes)) {
            assert.match(user, /^[1-9]\d*:[1-9]\d*$/);
        }
    });
});
