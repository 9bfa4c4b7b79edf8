import { describeProgram } from "../support/describe-program.js";
import { node } from "../support/program-languages.js";

describeProgram(node);
