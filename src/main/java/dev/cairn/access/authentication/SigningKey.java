package dev.cairn.access.authentication;

import java.security.PrivateKey;
import java.security.interfaces.ECPublicKey;

/**
 * A key pair that signs access tokens with ES256.
 *
 * @param id the {@code kid} of tokens and of the JWKS entry
 */
record SigningKey(String id, ECPublicKey publicKey, PrivateKey privateKey) {}
