import { describeProgram } from "../support/describe-program.js";
import { java } from "../support/program-languages.js";

describeProgram(java);
