package dev.cairn.sprite;

/** The state of a command: its {@link SpriteExit}, or a command that still runs elsewhere. */
sealed interface SpriteState permits SpriteExit, SpriteCommand {}
