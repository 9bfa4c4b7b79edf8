import { PolicyPack } from "@pulumi/policy";
import { policies } from "./policies/index.js";

new PolicyPack("pulumi-static-export", { policies });
