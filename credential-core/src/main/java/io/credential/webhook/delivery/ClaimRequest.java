package io.credential.webhook.delivery;

import java.util.List;

import io.credential.webhook.delivery.Agenda.Turn;

/**
 * What is to be claimed.
 *
 * @param claim under which
 * @param turns of which endpoints, and how many
 */
record ClaimRequest(Claim claim, List<Turn> turns) {}
