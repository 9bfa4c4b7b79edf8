import { belowBasePath } from "../files/routes.js";
import { type SiteOutput } from "./site-output.js";

/** A folder of an export, as an output of its own. */
export function folderInOutput(output: SiteOutput, folder: string): SiteOutput {
    return folder === ""
        ? output
        : {
              write: (file, content) => output.write(belowBasePath(folder, file), content),
              copy: (file, descriptor) => output.copy(belowBasePath(folder, file), descriptor),
          };
}
