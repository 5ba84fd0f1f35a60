export { recordingFiles } from '@deadheat/model';
