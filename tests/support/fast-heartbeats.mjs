/** Preloaded into a worker with `NODE_OPTIONS=--import=…`. */
import { optionTable } from "@pulumi-static-export/service/options";

optionTable.tickMs.default = 1000;
