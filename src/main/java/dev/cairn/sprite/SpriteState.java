package dev.cairn.sprite;

/** How far a command has come: to its {@link SpriteExit}, or it still runs elsewhere. */
sealed interface SpriteState permits SpriteExit, SpriteCommand {}
