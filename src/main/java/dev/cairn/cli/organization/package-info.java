/** Commands about organizations and their members. */
package dev.cairn.cli.organization;
