/** Commands about components: registering them, and what repositories have installed. */
package dev.cairn.cli.component;
