/** Commands about repositories as a whole; those about their content are in other packages. */
package dev.cairn.cli.repository;
