import { describeSystem } from "./support/describe-system.js";
import { foldersOnWindows } from "./support/specs-on-windows.js";
import { Windows } from "./support/windows.js";

describeSystem("Windows, under Wine", (suite) => Windows.install(suite), foldersOnWindows);
