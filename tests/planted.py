"""The catalogue of planted faults: for each promise, the tests that plant a fault and must notice it.

`make planted` runs them.
"""

from __future__ import annotations

PLANTED: dict[str, tuple[str, ...]] = {
    "R1": (
        "shoe/test_uniform.py::test_a_planted_fault_in_the_steps_fails",
        "shoe/test_uniform.py::test_an_off_by_one_in_the_large_shoe_fails",
        "shoe/test_uniform.py::test_a_seed_used_twice_fails",
        "shoe/test_uniform.py::test_an_occasionally_unshuffled_deck_fails",
        "shoe/test_uniform.py::test_decks_with_aces_on_top_fail_the_test_of_hands",
        "simulate/test_rounds.py::test_a_biased_shuffle_is_noticed",
    ),
    "R2": (
        "shoe/test_entropy.py::test_a_generator_that_keeps_bytes_over_a_fork_is_noticed",
        "shoe/test_entropy.py::test_no_cards_are_shuffled_if_the_cipher_fails_its_known_answer_test",
    ),
    "R3": (
        "shoe/test_verifier.py::test_single_bit_tampers_are_all_noticed",
        "live/test_cut_check.py::test_a_planted_wrong_opening_is_noticed",
        "live/test_cut_check.py::test_a_planted_opening_before_betting_closed_is_noticed",
        "live/test_cut_check.py::test_a_planted_cut_without_an_opening_is_noticed",
        "live/test_cut_check.py::test_a_planted_deal_before_the_cut_is_noticed",
        "live/test_cut_check.py::test_a_planted_commitment_after_betting_closed_is_noticed",
        "live/test_insider.py::test_a_planted_leak_of_the_salts_is_noticed",
    ),
    "R4": (
        "test_twins.py::test_a_planted_mistake_is_noticed",
        "test_engine_conformance.py::test_a_round_settled_differently_is_noticed",
        "simulate/test_rounds.py::test_a_payment_changed_by_a_cent_is_noticed",
        "simulate/test_shootout.py::test_a_wrong_payment_in_one_cell_is_noticed",
    ),
    "R5": (
        "record/test_store_kill.py::test_a_store_that_acknowledges_before_committing_is_detected",
        "record/test_store_kill.py::test_random_kills_also_detect_a_store_that_acknowledges_too_early",
        "record/test_store_power.py::test_a_store_that_leaves_out_a_sync_is_detected",
        "server/test_kills.py::test_a_record_that_lost_its_end_is_detected",
        "server/test_kills.py::test_a_contribution_that_is_not_on_the_meter_is_detected",
    ),
    "R6": (
        "record/test_store_once.py::test_mishandled_keys_are_detected",
        "record/test_linked_once.py::test_a_meter_that_loses_or_repeats_money_is_detected",
        "server/test_once_over_the_socket.py::test_a_table_that_ignores_keys_is_detected",
        "server/test_through_another_server.py::test_a_table_that_ignores_keys_is_noticed",
    ),
    "R7": (
        "test_conserved.py::test_a_missing_millionth_of_a_cent_is_noticed",
        "test_engine_rounds.py::test_an_event_that_loses_a_cent_is_noticed",
        "test_engine_rounds.py::test_a_meter_that_drops_its_remainder_is_noticed",
        "server/test_money_over_the_socket.py::test_a_view_with_an_extra_cent_is_detected",
        "simulate/test_meters.py::test_a_meter_fed_too_much_is_noticed",
        "simulate/test_meters.py::test_an_award_lost_or_paid_a_round_early_is_noticed",
        "simulate/test_meters.py::test_an_award_of_one_percent_more_is_noticed",
    ),
    "R8": (
        "test_engine_rounds.py::test_an_event_that_changes_the_past_is_noticed",
        "test_engine_rounds.py::test_a_line_that_houseway_settle_settles_differently_is_noticed",
        "record/test_golden.py::test_a_replay_that_ends_in_a_different_state_is_detected",
        "record/test_history.py::test_a_history_that_drops_cents_is_noticed",
    ),
    "R9": ("simulated_world/test_planted_faults.py::test_a_planted_fault_is_noticed",),
    "R10": (
        "exact/test_batch.py::test_a_wrong_entry_of_the_tables_is_noticed",
        "exact/test_cover_all.py::test_a_planted_fault_is_noticed",
        "exact/test_plain.py::test_a_wrong_payment_is_noticed",
        "exact/test_exposed_cards.py::test_a_wrong_payment_is_noticed",
        "exact/test_shootout_counts.py::test_another_house_way_is_noticed",
        "exact/test_shootout_counts.py::test_a_dealer_who_keeps_other_cards_is_noticed",
        "exact/test_small_decks.py::test_values_under_another_rulebook_are_noticed",
        "exact/test_wagers.py::test_a_miscounted_flush_is_noticed",
        "exact/test_wagers_capped.py::test_a_wrong_order_of_settlement_is_noticed",
        "exact/test_whole_bet.py::test_a_planted_fault_is_noticed",
        "school/test_decision_values.py::test_a_wrong_value_in_a_pay_table_is_noticed",
        "simulate/test_figures.py::test_a_wrong_cell_of_a_pay_table_is_noticed",
    ),
    "R11": (
        "server/test_secrecy.py::test_a_planted_leak_is_noticed",
        "server/test_secrecy.py::test_a_planted_leak_reaches_many_kinds_of_viewers",
        "server/test_coach_secrecy.py::test_a_coach_who_knows_the_dealers_cards_is_noticed",
        "server/test_through_another_server.py::test_a_relay_that_mixes_up_viewers_is_noticed",
        "record/test_export.py::test_an_export_that_leaks_hidden_cards_is_noticed",
        "record/test_explain.py::test_a_narrator_that_reveals_hidden_cards_is_detected",
        "page/test_hidden.py::test_a_planted_leak_is_noticed",
        "test_views.py::test_a_view_that_shows_a_hole_card_is_noticed",
        "test_views.py::test_a_view_that_shows_the_dealers_cards_early_is_noticed",
        "test_views.py::test_a_refusal_that_reveals_a_card_is_noticed",
    ),
    "R12": (
        "server/test_fuzz.py::test_a_planted_fault_of_the_decoder_is_noticed",
        "server/test_described.py::test_a_mismatch_is_found",
        "test_engine_machine.py::test_a_listed_option_that_is_refused_is_noticed",
    ),
    "R14": (
        "server/test_authority.py::test_a_planted_missing_check_of_the_sender_is_noticed",
        "server/test_through_another_server.py::test_a_missing_check_of_the_sender_is_noticed",
    ),
    "R16": (
        "record/test_verify_bytes.py::test_a_chain_that_covers_only_half_of_an_entry_is_detected",
        "record/test_verify.py::test_a_forged_payment_is_found_even_if_it_is_signed",
        "record/test_verify.py::test_a_swapped_card_is_found",
        "record/test_verify.py::test_an_invalid_signature_is_found",
        "record/test_verify.py::test_a_truncated_record_is_found",
        "record/test_verify.py::test_a_duplicated_entry_is_found",
        "record/test_verify.py::test_entries_continued_from_another_record_are_found",
        "page/test_replay.py::test_sound_proofs_of_other_cards_are_detected",
    ),
    "R17": (
        "record/test_leases.py::test_a_store_that_skips_the_lease_check_lets_two_owners_write",
        "record/test_leases.py::test_taking_a_table_without_the_lock_leads_to_two_owners",
        "server/test_failover.py::test_a_planted_store_without_fences_is_noticed",
    ),
    "R18": (
        "record/test_backup.py::test_a_backup_that_mixes_several_moments_is_noticed",
        "record/test_backup.py::test_a_row_that_is_lost_or_changed_during_the_copy_is_noticed",
    ),
    "R20": (
        "test_bite.py::test_a_clause_that_a_test_only_names_is_a_survivor",
        "test_bite.py::test_a_test_that_already_fails_does_not_count_as_noticing",
    ),
}
PLACES = tuple(place for places in PLANTED.values() for place in places)
