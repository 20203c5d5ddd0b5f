/* Made by tools/generate from proto/. Do not edit. */
#ifndef MUSTER_CMESSAGES_H
#define MUSTER_CMESSAGES_H

#include <stddef.h>
#include "muster/v1/change_log.pb-c.h"
#include "muster/v1/check_in.pb-c.h"
#include "muster/v1/control.pb-c.h"
#include "muster/v1/gateway.pb-c.h"
#include "muster/v1/location.pb-c.h"
#include "muster/v1/profile.pb-c.h"
#include "muster/v1/rpc.pb-c.h"

/* The descriptor of every message, by name; NULL from the end on. */
const ProtobufCMessageDescriptor *muster_message(size_t index);

/* A serialized google.protobuf.FileDescriptorSet of the contract. */
const uint8_t *muster_file_descriptor_set(size_t *size);

/* Swift may copy a global when its address is asked for; functions give the real one. */
static inline const ProtobufCMessageDescriptor *muster_answer_delete_request_descriptor(void) {
  return &muster__v1__answer_delete_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_answer_delete_response_descriptor(void) {
  return &muster__v1__answer_delete_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_attend_deletes_request_descriptor(void) {
  return &muster__v1__attend_deletes_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_attend_deletes_response_descriptor(void) {
  return &muster__v1__attend_deletes_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_check_in_item_descriptor(void) {
  return &muster__v1__batch_check_in_item__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_check_in_outcome_descriptor(void) {
  return &muster__v1__batch_check_in_outcome__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_check_in_request_descriptor(void) {
  return &muster__v1__batch_check_in_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_check_in_response_descriptor(void) {
  return &muster__v1__batch_check_in_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_create_locations_request_descriptor(void) {
  return &muster__v1__batch_create_locations_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_create_locations_response_descriptor(void) {
  return &muster__v1__batch_create_locations_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_create_profiles_request_descriptor(void) {
  return &muster__v1__batch_create_profiles_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_create_profiles_response_descriptor(void) {
  return &muster__v1__batch_create_profiles_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_get_locations_request_descriptor(void) {
  return &muster__v1__batch_get_locations_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_get_locations_response_descriptor(void) {
  return &muster__v1__batch_get_locations_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_get_profiles_request_descriptor(void) {
  return &muster__v1__batch_get_profiles_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_batch_get_profiles_response_descriptor(void) {
  return &muster__v1__batch_get_profiles_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_board_row_descriptor(void) {
  return &muster__v1__board_row__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_cancel_watch_request_descriptor(void) {
  return &muster__v1__cancel_watch_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_cancel_watch_response_descriptor(void) {
  return &muster__v1__cancel_watch_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_change_descriptor(void) {
  return &muster__v1__change__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_changes_published_descriptor(void) {
  return &muster__v1__changes_published__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_health_request_descriptor(void) {
  return &muster__v1__check_health_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_health_response_descriptor(void) {
  return &muster__v1__check_health_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_in_change_descriptor(void) {
  return &muster__v1__check_in_change__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_in_request_descriptor(void) {
  return &muster__v1__check_in_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_in_response_descriptor(void) {
  return &muster__v1__check_in_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_in_status_descriptor(void) {
  return &muster__v1__check_in_status__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_out_everyone_request_descriptor(void) {
  return &muster__v1__check_out_everyone_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_out_everyone_response_descriptor(void) {
  return &muster__v1__check_out_everyone_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_out_request_descriptor(void) {
  return &muster__v1__check_out_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_check_out_response_descriptor(void) {
  return &muster__v1__check_out_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_copy_store_request_descriptor(void) {
  return &muster__v1__copy_store_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_copy_store_response_descriptor(void) {
  return &muster__v1__copy_store_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_create_location_request_descriptor(void) {
  return &muster__v1__create_location_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_create_location_response_descriptor(void) {
  return &muster__v1__create_location_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_create_profile_request_descriptor(void) {
  return &muster__v1__create_profile_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_create_profile_response_descriptor(void) {
  return &muster__v1__create_profile_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_delete_location_request_descriptor(void) {
  return &muster__v1__delete_location_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_delete_location_response_descriptor(void) {
  return &muster__v1__delete_location_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_delete_profile_request_descriptor(void) {
  return &muster__v1__delete_profile_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_delete_profile_response_descriptor(void) {
  return &muster__v1__delete_profile_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_expectation_descriptor(void) {
  return &muster__v1__expectation__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_field_violation_descriptor(void) {
  return &muster__v1__field_violation__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_gauge_descriptor(void) {
  return &muster__v1__gauge__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_geo_point_descriptor(void) {
  return &muster__v1__geo_point__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_avatar_request_descriptor(void) {
  return &muster__v1__get_avatar_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_avatar_response_descriptor(void) {
  return &muster__v1__get_avatar_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_board_request_descriptor(void) {
  return &muster__v1__get_board_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_board_response_descriptor(void) {
  return &muster__v1__get_board_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_counts_request_descriptor(void) {
  return &muster__v1__get_counts_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_counts_response_descriptor(void) {
  return &muster__v1__get_counts_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_info_request_descriptor(void) {
  return &muster__v1__get_info_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_info_response_descriptor(void) {
  return &muster__v1__get_info_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_location_image_request_descriptor(void) {
  return &muster__v1__get_location_image_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_location_image_response_descriptor(void) {
  return &muster__v1__get_location_image_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_location_request_descriptor(void) {
  return &muster__v1__get_location_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_location_response_descriptor(void) {
  return &muster__v1__get_location_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_me_request_descriptor(void) {
  return &muster__v1__get_me_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_me_response_descriptor(void) {
  return &muster__v1__get_me_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_profile_request_descriptor(void) {
  return &muster__v1__get_profile_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_profile_response_descriptor(void) {
  return &muster__v1__get_profile_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_snapshot_request_descriptor(void) {
  return &muster__v1__get_snapshot_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_snapshot_response_descriptor(void) {
  return &muster__v1__get_snapshot_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_stats_request_descriptor(void) {
  return &muster__v1__get_stats_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_stats_response_descriptor(void) {
  return &muster__v1__get_stats_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_status_request_descriptor(void) {
  return &muster__v1__get_status_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_get_status_response_descriptor(void) {
  return &muster__v1__get_status_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_here_change_descriptor(void) {
  return &muster__v1__here_change__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_changes_request_descriptor(void) {
  return &muster__v1__list_changes_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_changes_response_descriptor(void) {
  return &muster__v1__list_changes_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_checked_in_request_descriptor(void) {
  return &muster__v1__list_checked_in_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_checked_in_response_descriptor(void) {
  return &muster__v1__list_checked_in_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_history_request_descriptor(void) {
  return &muster__v1__list_history_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_history_response_descriptor(void) {
  return &muster__v1__list_history_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_locations_request_descriptor(void) {
  return &muster__v1__list_locations_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_locations_response_descriptor(void) {
  return &muster__v1__list_locations_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_people_everywhere_request_descriptor(void) {
  return &muster__v1__list_people_everywhere_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_people_everywhere_response_descriptor(void) {
  return &muster__v1__list_people_everywhere_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_people_here_request_descriptor(void) {
  return &muster__v1__list_people_here_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_people_here_response_descriptor(void) {
  return &muster__v1__list_people_here_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_profiles_request_descriptor(void) {
  return &muster__v1__list_profiles_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_list_profiles_response_descriptor(void) {
  return &muster__v1__list_profiles_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_location_descriptor(void) {
  return &muster__v1__location__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_location_count_descriptor(void) {
  return &muster__v1__location_count__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_location_result_descriptor(void) {
  return &muster__v1__location_result__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_method_stats_descriptor(void) {
  return &muster__v1__method_stats__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_people_at_location_descriptor(void) {
  return &muster__v1__people_at_location__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_person_descriptor(void) {
  return &muster__v1__person__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_profile_descriptor(void) {
  return &muster__v1__profile__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_request_header_descriptor(void) {
  return &muster__v1__request_header__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_response_header_descriptor(void) {
  return &muster__v1__response_header__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_revisions_descriptor(void) {
  return &muster__v1__revisions__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_service_health_descriptor(void) {
  return &muster__v1__service_health__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_set_avatar_request_descriptor(void) {
  return &muster__v1__set_avatar_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_set_avatar_response_descriptor(void) {
  return &muster__v1__set_avatar_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_set_location_image_request_descriptor(void) {
  return &muster__v1__set_location_image_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_set_location_image_response_descriptor(void) {
  return &muster__v1__set_location_image_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_status_descriptor(void) {
  return &muster__v1__status__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_update_location_request_descriptor(void) {
  return &muster__v1__update_location_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_update_location_response_descriptor(void) {
  return &muster__v1__update_location_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_update_profile_request_descriptor(void) {
  return &muster__v1__update_profile_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_update_profile_response_descriptor(void) {
  return &muster__v1__update_profile_response__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_watch_request_descriptor(void) {
  return &muster__v1__watch_request__descriptor;
}
static inline const ProtobufCMessageDescriptor *muster_watch_response_descriptor(void) {
  return &muster__v1__watch_response__descriptor;
}

#endif
