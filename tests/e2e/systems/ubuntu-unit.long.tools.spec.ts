import { hostileBuilds } from "../../service/builds/hostile/hostile-builds.js";
import { ubuntu } from "./support/distributions.js";
import { describeUnit } from "./support/unit/describe-unit.js";

/** One kind for each limit; the machine with Debian runs all. */
const usual = ["memfd", "mapped", "bomb", "inotify"];

describeUnit(
    ubuntu,
    hostileBuilds.filter(({ kind }) => usual.includes(kind)),
);
